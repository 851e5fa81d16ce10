/**
 * Compares snapshots of a table from the server. Uses no page: node imports this module as browsers do.
 *
 * @typedef {import("./log.js").Mark} LogMark
 * @typedef {import("./records.js").Side} Side
 *
 * @typedef {LogMark & {created_at: string, device: string, director: string, helper: string}} Mark
 * @typedef {{name: string, surname: string, first_name: string, seat: number}} Player
 * @typedef {{letter: Side, colour: string, short: string, full: string, players: Player[]}} SnapshotSide
 * @typedef {{game: number, side: Side, agreed_to: string, created_at: string}} Agreement
 *
 * @typedef {{evening: string, round: number, table: number, opened_at: string, names: string[]}} Identity
 *
 * @typedef {{text: string, table: ?number, ends_at: ?string, round_number: number, ruling?: string}} DeskMessage
 *
 * @typedef {object} TableSnapshot the state of a table from the server: `scoring/phone.py`
 * @property {string} url of the table
 * @property {{pk: number, round_number: number, revision: number, closed_at: ?string, identity: Identity,
 *   card: {number: number, public_page: string, clock: ?Record<string, any>,
 *   messages?: DeskMessage[]}}} match
 * @property {string} time_zone
 * @property {import("./rulesets.js").Ruleset} ruleset
 * @property {import("./rulesets.js").MatchFormat} match_format
 * @property {string[]} details
 * @property {number} first_dealer
 * @property {SnapshotSide[]} sides
 * @property {Mark[]} marks
 * @property {string} digest of the log, as the server computes it
 * @property {Agreement[]} agreements
 * @property {?{note: string, entry_key: ?string, is_opened?: boolean, is_kept?: boolean}} dispute `is_opened` at the desk;
 *   `is_kept` on this phone, and not sent yet
 * @property {?{round: number, is_own: boolean, seats: {names: string[], table: ?number, url: string}[]}} move
 * @property {{is_elsewhere: boolean, is_asked_for: boolean, is_asked_for_here: boolean}} [pencil]
 * @property {string} device
 * @property {string} [since] when the server was started
 * @property {string} bundle_key signs the QR codes for the desk: `static/js/bundle.js`
 * @property {string} own_page
 * @property {string} etag
 */

/**
 * Returns the newer of two snapshots. Names and clocks change without a revision of the match: of two equal snapshots, the
 * incoming one is newer.
 *
 * @template {TableSnapshot} K
 * @param {?K} previous @param {?K} incoming @returns {?K}
 */
export function pickNewer(previous, incoming) {
  if (!previous || !incoming) return previous ?? incoming;
  return isBehind(previous, incoming) ? previous : incoming;
}

/**
 * Checks whether the incoming snapshot is older: a late response, or one of a server restored from a backup.
 *
 * @param {TableSnapshot} previous @param {TableSnapshot} incoming
 */
export function isBehind(previous, incoming) {
  if (previous.match.pk !== incoming.match.pk) {
    return isOlderMatch(incoming.match, previous.match) || (isSameMatch(previous, incoming) && lacksMarks(incoming, previous));
  }
  if (!isSameMatch(previous, incoming)) return isOlderMatch(incoming.match, previous.match);
  return incoming.match.revision < previous.match.revision || lacksMarks(incoming, previous);
}

/** @param {TableSnapshot["match"]} one @param {TableSnapshot["match"]} other */
function isOlderMatch(one, other) {
  return one.identity.opened_at < other.identity.opened_at;
}

/**
 * Checks whether two snapshots are of one match: drawn at the same time, or, if it was drawn again, of the same round with
 * the same players.
 *
 * @param {TableSnapshot} one @param {TableSnapshot} other
 */
export function isSameMatch(one, other) {
  const [first, second] = [one.match.identity, other.match.identity];
  return first.opened_at === second.opened_at || (first.round === second.round && String(first.names) === String(second.names));
}

/**
 * @param {TableSnapshot} incoming @param {TableSnapshot} previous
 * @returns {boolean} whether the incoming one lacks a mark or an agreement
 */
export function lacksMarks(incoming, previous) {
  const ids = new Set(listIds(incoming));
  return listIds(previous).some((id) => !ids.has(id));
}

/** @param {TableSnapshot} snapshot @returns {string[]} of its marks and agreements */
function listIds({ marks, agreements }) {
  return [...marks.map(({ key }) => key), ...agreements.map(formatAgreement)];
}

/** @param {Agreement} agreement */
function formatAgreement({ game, side, agreed_to }) {
  return `${game} ${side} ${agreed_to}`;
}
