/**
 * What the server says of a table, and which of two answers is the newer one. No page: node imports this module as
 * browsers do.
 *
 * @typedef {import("./log.js").Mark} LogMark
 * @typedef {import("./records.js").Side} Side
 *
 * @typedef {LogMark & {created_at: string, device: string, director: string, helper: string}} Mark
 * @typedef {{name: string, surname: string, first_name: string, seat: number}} Player
 * @typedef {{letter: Side, colour: string, short: string, full: string, players: Player[]}} KnownSide
 * @typedef {{game: number, side: Side, agreed_to: string, created_at: string}} Agreement
 *
 * @typedef {{evening: string, round: number, table: number, opened_at: string, names: string[]}} Identity
 *
 * @typedef {{text: string, table: ?number, ends_at: ?string, round_number: number, ruling?: string}} DeskMessage
 *
 * @typedef {object} Known what the server says of a table: `scoring/phone.py`
 * @property {string} url of the table
 * @property {{pk: number, round_number: number, revision: number, closed_at: ?string, identity: Identity,
 *   card: {number: number, public_page: string, clock: ?Record<string, any>,
 *   messages?: DeskMessage[]}}} match
 * @property {string} time_zone
 * @property {import("./rulesets.js").Ruleset} ruleset
 * @property {import("./rulesets.js").MatchFormat} match_format
 * @property {string[]} details
 * @property {number} first_dealer
 * @property {KnownSide[]} sides
 * @property {Mark[]} marks
 * @property {string} digest of the log, as the server seals it
 * @property {Agreement[]} agreements
 * @property {?{note: string, entry_key: ?string, is_opened?: boolean, is_kept?: boolean}} dispute `is_opened` at the desk;
 *   `is_kept` on this phone, and not heard yet
 * @property {?{round: number, is_own: boolean, seats: {names: string[], table: ?number, url: string}[]}} move
 * @property {{is_elsewhere: boolean, is_asked_for: boolean, is_asked_for_here: boolean}} [pencil]
 * @property {string} device
 * @property {string} [since] when the server was started that says it
 * @property {string} bundle_key seals what goes to the desk as codes: `static/js/bundle.js`
 * @property {string} own_page
 * @property {string} etag
 */

/**
 * What the server said last. Names and clocks change without a revision of the match: of two alike, it is what was
 * heard last.
 *
 * @template {Known} K
 * @param {?K} before @param {?K} heard @returns {?K}
 */
export function newer(before, heard) {
  if (!before || !heard) return before ?? heard;
  return isBehind(before, heard) ? before : heard;
}

/**
 * Whether less is said than was known: by an answer that was long on its way, or by a server that was put back to an
 * older state.
 *
 * @param {Known} before @param {Known} heard
 */
export function isBehind(before, heard) {
  if (before.match.pk !== heard.match.pk) {
    return isOpenedEarlier(heard.match, before.match) || (isSameMatch(before, heard) && lacks(heard, before));
  }
  if (!isSameMatch(before, heard)) return isOpenedEarlier(heard.match, before.match);
  return heard.match.revision < before.match.revision || lacks(heard, before);
}

/** @param {Known["match"]} one @param {Known["match"]} other */
function isOpenedEarlier(one, other) {
  return one.identity.opened_at < other.identity.opened_at;
}

/**
 * A match of a table is known by the moment when it was drawn; where it was drawn once more, by its round and who sits
 * there.
 *
 * @param {Known} one @param {Known} other
 */
export function isSameMatch(one, other) {
  const [here, there] = [one.match.identity, other.match.identity];
  return here.opened_at === there.opened_at || (here.round === there.round && String(here.names) === String(there.names));
}

/** @param {Known} heard @param {Known} before @returns {boolean} whether a mark or an agreement is there no more */
export function lacks(heard, before) {
  const there = new Set([...heard.marks.map(({ key }) => key), ...heard.agreements.map(textOf)]);
  return before.marks.some(({ key }) => !there.has(key)) || before.agreements.some((each) => !there.has(textOf(each)));
}

/** @param {Agreement} agreement */
function textOf({ game, side, agreed_to }) {
  return `${game} ${side} ${agreed_to}`;
}
