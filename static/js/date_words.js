/** Formats dates and times in words like the server. Uses no page: node imports this module as browsers do. */

/** @param {{type: string, value: string}} field of type date or time @param {string} locale of the page: fr-CA or en */
export function formatDate({ type, value }, locale) {
  const moment = new Date(type === "date" ? `${value}T00:00Z` : `2000-01-01T${value}Z`);
  if (Number.isNaN(moment.valueOf())) return "";
  /** @type {Intl.DateTimeFormatOptions} */
  const options = { ...(type === "date" ? { dateStyle: "full" } : { timeStyle: "short" }), timeZone: "UTC" };
  const words = new Intl.DateTimeFormat(locale, options).format(moment).replaceAll("\u202f", "\u00a0");
  if (locale === "en") return words;
  return words.replace(/(?<!\d)1(?= [a-zéû])/, "1er").replace(/^0(?=\d)/, "").replace(/\s00$/, "");
}
