/**
 * Sends the hands that wait on this device, from whatever page is open, and shows them there. Forms that carry an
 * `entry_key` go this way, so that no page of a hall's Wi-Fi replaces the screen: the hand is kept before it
 * leaves. The page of a hand hears of it by events:
 *
 * - `outbox:changed`: `detail` is the hand that waits here, if any;
 * - `outbox:answer`: `detail` is an `Answer`; who shows it prevents the default, and the hand is done with.
 */

/** @typedef {import("./outbox.js").Hand} Hand @typedef {import("./outbox.js").Answer} Answer */

import { Outbox } from "./outbox.js";

const ASK_AGAIN = 3_000; // as often as pages look for news

const { installation = "" } = document.documentElement.dataset;
const { hands: page, table = "" } = document.body.dataset;
const strip = /** @type {HTMLElement} */ (document.getElementById("outbox"));

const outbox = new Outbox({
  storage: storageHere(),
  installation,
  fetch,
  token: () => /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? "",
  page,
  onAnswer: (answer) => {
    if (answer.hand.path === page && !dispatch("outbox:answer", answer)) outbox.drop(answer.hand);
  },
});

/** @returns {Storage | undefined} nothing, where it is forbidden */
function storageHere() {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

/** @param {string} name @param {Hand | Answer} [detail] @returns {boolean} whether nobody has taken care of it */
function dispatch(name, detail) {
  return document.dispatchEvent(new CustomEvent(name, { detail, cancelable: true }));
}

/** The hand that an earlier version of this program kept, which knew neither its table's number nor any other. */
function adoptEarlierHand() {
  const earlier = outbox.storage?.getItem("unsent");
  if (!earlier) return;
  const { path, values } = JSON.parse(earlier);
  outbox.add({ path, table: path.split("/").pop() ?? "", values });
  outbox.storage?.removeItem("unsent");
}

/** @param {string | undefined} text @param {Record<string, string | number | undefined>} values @returns {string} */
function fillIn(text = "", values) {
  return text.replace(/\{(\w+)\}/g, (_, /** @type {string} */ name) => `${values[name]}`);
}

/** @param {string} name @param {string} [text] @param {Record<string, string>} [more] */
function element(name, text = "", more = {}) {
  return Object.assign(document.createElement(name), { textContent: text, ...more });
}

/** @param {Hand[]} hands at one table @returns {Element} a link to it */
function lineOf(hands) {
  const [{ path, table: number, isAsked }] = hands;
  const { one, many, asked } = strip.dataset;
  const text = isAsked ? asked : hands.length === 1 ? one : many;
  const line = element("p");
  line.append(element("a", fillIn(text, { count: hands.length, table: number }), { href: path }));
  return line;
}

/** @param {Hand} hand that was refused @returns {Element[]} why, until somebody has read it */
function refusalOf(hand) {
  const { refused, seen } = strip.dataset;
  const { values: { number }, table: place, reason } = hand;
  const button = element("button", seen, { type: "button", className: "button quiet small" });
  button.addEventListener("click", () => {
    outbox.drop(hand);
    showHands();
  });
  return [element("p", fillIn(refused, { table: place, number, reason }), { role: "alert" }), button];
}

/** At a table it stands under the band, in each screen anew. */
function placeStrip() {
  const notice = document.getElementById("to-send");
  if (notice && notice.previousElementSibling !== strip) notice.before(strip);
}

function showHands() {
  const [here] = outbox.all(page ?? "");
  document.body.classList.toggle("waiting", here !== undefined);
  /** @type {NodeListOf<HTMLElement>} */
  const parts = document.querySelectorAll("#main > :not(.notice)");
  if (page) for (const part of parts) part.inert = here !== undefined;
  /** @type {Map<string, Hand[]>} */
  const elsewhere = new Map();
  for (const hand of outbox.all()) {
    if (hand.path !== page) elsewhere.set(hand.path, [...(elsewhere.get(hand.path) ?? []), hand]);
  }
  const lines = [...[...elsewhere.values()].map(lineOf), ...outbox.refused().flatMap(refusalOf)];
  if (outbox.isForgetful) lines.push(element("p", strip.dataset.forgetful));
  const text = lines.map((line) => line.textContent).join("");
  if (strip.textContent !== text) strip.replaceChildren(...lines); // what is said is not said again
  strip.hidden = !lines.length;
  placeStrip();
  const notice = document.getElementById("to-send");
  if (here && notice?.hidden) scrollTo(0, 0); // on low screens the step has pushed it out of sight
  notice?.toggleAttribute("hidden", here === undefined);
  dispatch("outbox:changed", here);
}

async function send() {
  await outbox.flush();
  showHands();
}

function sendAgain() {
  if (outbox.all().length) send();
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (!form.elements.namedItem("entry_key")) return;
  event.preventDefault();
  if (document.body.matches(".sending, .waiting")) return;
  const values = /** @type {Hand["values"]} */ (Object.fromEntries(new FormData(form)));
  delete values.csrfmiddlewaretoken; // the one of the moment goes with it
  if (submitter?.name) values[submitter.name] = submitter.value;
  outbox.add({ path: form.getAttribute("action") ?? "", table, values });
  document.body.classList.add("sending");
  send().finally(() => document.body.classList.remove("sending"));
});

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element && event.target.closest("[data-drop]"))) return;
  for (const hand of outbox.all(page)) outbox.drop(hand);
  showHands();
});

adoptEarlierHand();
showHands();
sendAgain();
setInterval(sendAgain, ASK_AGAIN);
addEventListener("online", sendAgain);
addEventListener("pageshow", showHands);
document.addEventListener("htmx:afterSwap", placeStrip);
addEventListener("storage", showHands);
