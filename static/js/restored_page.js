/** A page of a signed-in reader that the browser restores from memory is read again: somebody may have signed out. */
addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); });

export {};
