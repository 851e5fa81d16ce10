/** Reloads a signed-in page that the browser restores from memory: the person may have signed out. */
addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); });

export {};
