/**
 * What the templates of a table draw, under the names that they ask for: `scoring/views.py`, on a phone without a
 * network. No page: node imports this module as browsers do.
 *
 * @typedef {import("./match.js").Table} Table
 *
 * @typedef {object} View what of the table is looked at
 * @property {boolean} [hands] all of them
 * @property {number} [correcting]
 * @property {string} [stays] this match, by id, wherever the phone's people play
 * @property {string} [goesOn] the next game is being marked, from this hand on
 * @property {Record<string, string>} [asked] the form about which a question is on the screen
 * @property {{code: string, details: object}} [refusal]
 * @property {boolean} [outOfReach] whether somebody was about to leave for a page that does not come
 *
 * @typedef {object} Moment what is of this drawing alone
 * @property {Date | string} now
 * @property {string} entry_key of the next tap
 * @property {string} csrf_token
 * @property {number} waiting how many entries nobody has answered
 * @property {boolean} is_away whether the last try had no answer
 * @property {boolean} is_hindered whether its answer was that nothing can be recorded now
 * @property {boolean} is_forgotten whether what waits is kept only as long as the page is open
 * @property {boolean} may_reload whether this page opens again without a network
 * @property {string} [stays] the match, by id, at which this phone stays although its people play elsewhere
 * @property {boolean} is_alone whether no other phone can be asked for the pencil: then each one marks
 */

import { withHand } from "./log.js";
import { markOf, matchOf } from "./match.js";
import { postedMark } from "./records.js";
import { handLine, tableScreen } from "./screen.js";

const NO_PENCIL = { is_elsewhere: false, is_asked_for: false, is_asked_for_here: false, passes_at: null };

/** @param {Table} table @param {View} view @param {Moment} moment @returns {Record<string, any>} */
export function contextOf(table, view, moment) {
  const { match, ...session } = table.known;
  const screen = tableScreen(table, view.correcting);
  return {
    ...moment,
    session: { ...session, match: { ...match, dealer_at_start: session.first_dealer }, director: null, account: null },
    screen,
    clock: clockView(match.card.clock),
    messages: messagesAt(match.card.messages ?? [], moment.now, match.round_number),
    time_zone: session.time_zone,
    dispute: session.dispute,
    move: moment.stays === String(match.pk) || (screen.lines.length && !match.closed_at && !session.move?.is_own) ? null : session.move,
    stays: moment.stays === String(match.pk),
    details: session.details,
    pencil: moment.is_alone ? NO_PENCIL : session.pencil ?? NO_PENCIL,
    etag: session.etag,
    goes_on: view.goesOn === String(screen.number),
    refusal: view.refusal,
    is_out_of_reach: Boolean(view.outOfReach),
    ...(view.asked ? questionAbout(table, view.asked, screen) : {}),
  };
}

/** @param {?Record<string, any>} clock @returns {?object} where it tells a table something: not only since when */
function clockView(clock) {
  if (!clock) return null;
  const counts_down = clock.ends_at !== null || clock.left !== null;
  return counts_down || clock.is_last_hand ? { ...clock, counts_down } : null;
}

/**
 * @param {import("./known.js").DeskMessage[]} messages @param {Date | string} now @param {number} round of the match
 * @returns {object[]} those of the desk that have not ended; a ruling only of this match
 */
function messagesAt(messages, now, round) {
  return messages
    .filter(({ ends_at, ruling, round_number }) =>
      (!ends_at || new Date(ends_at) > new Date(now)) && (!ruling || round_number === round))
    .map((message) => ({ ...message, is_call: !message.text && !message.ruling }));
}

/** @param {Table} table @param {Record<string, string>} values @param {ReturnType<typeof tableScreen>} screen */
function questionAbout({ known, log }, values, screen) {
  const mark = markOf(known, values, "");
  const { after } = withHand(matchOf(known), log, mark.number, mark.record);
  const line = handLine(mark.number, mark.record, screen.sides, known.ruleset);
  const { match, entry_key, number, supersedes = "", saw_only = "" } = values;
  return {
    asked: { match_id: match, entry_key, number, supersedes, saw_only, hand: postedMark(values).hand },
    asked_line: { ...line, line: after.lines[after.lines.length - 1] },
    after,
  };
}
