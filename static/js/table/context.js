/**
 * Builds the template context of a table on a phone without a network, like `scoring/views.py`. Uses no page: node imports
 * this module as browsers do.
 *
 * @typedef {import("./match.js").Table} Table
 *
 * @typedef {object} View which part of the table is shown
 * @property {boolean} [hands] whether the list of all hands is shown
 * @property {number} [correcting]
 * @property {string} [stays] the id of the match to stay at, although its players have moved
 * @property {string} [goesOn] the number of the first hand of the next game
 * @property {Record<string, string>} [asked] the values of the form with an open question
 * @property {{code: string, details: object}} [refusal]
 * @property {boolean} [outOfReach] whether a link could not be followed
 *
 * @typedef {object} Moment values of one drawing
 * @property {Date | string} now
 * @property {string} entry_key of the next tap
 * @property {string} csrf_token
 * @property {number} waiting the number of unanswered entries
 * @property {boolean} is_away whether the last request had no response
 * @property {boolean} is_hindered whether its response was a server error
 * @property {boolean} is_forgotten whether waiting entries are lost with the page
 * @property {boolean} may_reload whether this page can be reloaded without a network
 * @property {string} [stays] the id of the match to stay at, although its players have moved
 * @property {boolean} is_alone whether the scorekeeper cannot be asked: then each phone may record
 */

import { foldAroundHand } from "./log.js";
import { getMatchTerms, readMark } from "./match.js";
import { parsePostedMark } from "./records.js";
import { buildHandLine, buildTableScreen } from "./screen.js";

const FREE_SCOREKEEPER = { is_elsewhere: false, is_asked_for: false, is_asked_for_here: false, passes_at: null };

/** @param {Table} table @param {View} view @param {Moment} moment @returns {Record<string, any>} */
export function buildContext(table, view, moment) {
  const { match, ...session } = table.known;
  const screen = buildTableScreen(table, view.correcting);
  return {
    ...moment,
    session: { ...session, match: { ...match, first_dealer_seat: session.first_dealer }, director: null, account: null },
    screen,
    clock: buildClockView(match.card.clock),
    messages: listCurrentMessages(match.card.messages ?? [], moment.now, match.round_number),
    time_zone: session.time_zone,
    dispute: session.dispute,
    move: moment.stays === String(match.pk) || (screen.lines.length && !match.closed_at && !session.move?.is_own) ? null : session.move,
    stays: moment.stays === String(match.pk),
    details: session.details,
    scorekeeper: moment.is_alone ? FREE_SCOREKEEPER : session.pencil ?? FREE_SCOREKEEPER,
    etag: session.etag,
    goes_on: view.goesOn === String(screen.number),
    refusal: view.refusal,
    is_out_of_reach: Boolean(view.outOfReach),
    ...(view.asked ? buildQuestion(table, view.asked, screen) : {}),
  };
}

/** @param {?Record<string, any>} clock @returns {?object} null if it has no end */
function buildClockView(clock) {
  if (!clock) return null;
  const is_countdown = clock.ends_at !== null || clock.left !== null;
  return is_countdown || clock.is_last_hand ? { ...clock, is_countdown } : null;
}

/**
 * @param {import("./snapshot.js").DeskMessage[]} messages @param {Date | string} now @param {number} round of the match
 * @returns {object[]} the current messages; rulings only of this match
 */
function listCurrentMessages(messages, now, round) {
  return messages
    .filter(({ ends_at, ruling, round_number }) =>
      (!ends_at || new Date(ends_at) > new Date(now)) && (!ruling || round_number === round))
    .map((message) => ({ ...message, is_call: !message.text && !message.ruling }));
}

/** @param {Table} table @param {Record<string, string>} values @param {ReturnType<typeof buildTableScreen>} screen */
function buildQuestion({ known, log }, values, screen) {
  const mark = readMark(known, values, "");
  const { after } = foldAroundHand(getMatchTerms(known), log, mark.number, mark.record);
  const line = buildHandLine(mark.number, mark.record, screen.sides, known.ruleset);
  const { match, entry_key, number, supersedes = "", saw_only = "" } = values;
  return {
    pending_mark: { match_id: match, entry_key, number, supersedes, saw_only, hand: parsePostedMark(values).hand },
    pending_line: { ...line, line: after.lines[after.lines.length - 1] },
    after,
  };
}
