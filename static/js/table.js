/**
 * The table screen, where scripts run: nothing moves under the finger, and a tap that was not recorded says so.
 * Without this module everything works, by plain links and forms.
 */

/** @returns {boolean} whether somebody is in the middle of something: a step or a question, a tap, a word */
function isMarking() {
  const fields = [...document.querySelectorAll("#screen input:not([type=hidden])")];
  return document.querySelector(".step:target, .sheet, .sending") !== null
    || fields.some((field) => field.value !== field.defaultValue);
}

/** @param {boolean} isLost */
function showLost(isLost) {
  const notice = document.getElementById("not-sent");
  if (notice) notice.hidden = !isLost;
}

/** @param {CustomEvent} event @returns {boolean} whether it is the page looking for news, not a tap */
function isLookingForNews(event) {
  return event.detail.requestConfig?.verb === "get" && event.detail.elt?.id === "screen";
}

// The keys lie outside the form they belong to, where htmx does not notice which one was pressed.
document.addEventListener("htmx:configRequest", (event) => {
  const key = event.detail.triggeringEvent?.submitter;
  if (key?.name) event.detail.parameters[key.name] = key.value;
});

document.addEventListener("htmx:beforeRequest", (event) => {
  if (!isLookingForNews(event)) document.body.classList.add("sending");
  else if (isMarking() || document.hidden) event.preventDefault();
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (!isLookingForNews(event)) document.body.classList.remove("sending");
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const isNoNews = isMarking() || event.detail.xhr.status >= 400;
  if (isLookingForNews(event) && isNoNews) event.detail.shouldSwap = false;
});

for (const failure of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(failure, (event) => {
    if (!isLookingForNews(event)) showLost(true);
  });
}

document.addEventListener("htmx:afterSwap", () => {
  document.querySelector(".sheet, [autofocus]")?.focus();
});
