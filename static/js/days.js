/** A day or an hour that is typed is said below its field, in the language of the page. */

const locale = document.documentElement.lang.startsWith("fr") ? "fr-CA" : "en-CA";
const days = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" });
const hours = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" });

function inWords({ type, value }) {
  const moment = new Date(type === "date" ? `${value}T00:00Z` : `2000-01-01T${value}Z`);
  if (Number.isNaN(moment.valueOf())) return "";
  const words = (type === "date" ? days : hours).format(moment).replaceAll("\u202f", "\u00a0");
  if (locale === "en-CA") return words;
  return words.replace(/(?<!\d)1(?= [a-zéû])/, "1er").replace(/^0(?=\d)/, "").replace(/\s00$/, ""); // as the server writes them
}

document.addEventListener("input", ({ target }) => {
  if (!target.matches("input[type=date], input[type=time]")) return;
  const words = document.getElementById(`${target.id}_words`);
  if (words) words.textContent = inWords(target);
});
