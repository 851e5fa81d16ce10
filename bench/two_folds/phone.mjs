/**
 * A phone that computes matches. It reads lines of JSON, each a list of matches, from standard input, and answers each
 * with a line, the list of its results.
 */

import { createInterface } from "node:readline";

import { fold } from "../../static/js/table/fold.js";
import { foldMatch, needsConfirmation, placeMark, readLog } from "../../static/js/table/log.js";
import { parsePostedMark, readRecord } from "../../static/js/table/records.js";
import { Refusal } from "../../static/js/table/refusals.js";

const gameOf = ({ number, points, winner, by }) => [number, points, winner, by];

const saidOf = (state) => [
  [...state.games, state.game].map(gameOf),
  state.games_won,
  state.points,
  state.deals,
  state.dealer,
  state.is_over,
  state.winner,
];

const linesOf = (state) =>
  state.lines.map(({ number, dealer, gained, game, is_surplus, ends_game }) =>
    [number, dealer, gained, gameOf(game), is_surplus, ends_game]);

/** Return the result of `call`, or the refusal that it throws. */
function tried(call) {
  try {
    return call();
  } catch (refusal) {
    if (refusal instanceof Refusal) return refusal;
    throw refusal;
  }
}

function answerTo(match, log, { form, is_directors }) {
  const mark = tried(() => {
    const { hand, ...posted } = parsePostedMark(form);
    return { ...posted, is_directors, record: readRecord(match.ruleset, hand) };
  });
  if (mark instanceof Refusal) return { said: { unread: [mark.code, mark.field, mark.details] }, log };
  const said = { record: mark.record, is_read_aloud: needsConfirmation(match, log, mark) };
  const became = tried(() => placeMark(log, mark, match));
  if (became instanceof Refusal) return { said: { ...said, refused: [became.code, became.details] }, log };
  return { said: { ...said, status: became.status, ...standing(match, became.log) }, log: became.log };
}

function standing(match, log) {
  const state = foldMatch(match, log.places);
  const linesOfMarks = (marks) => marks.map((mark) => log.marks.indexOf(mark) + 1);
  const inOrder = (places) => [...places.keys()].sort((one, other) => one - other);
  return {
    next: log.next_number,
    waits: inOrder(log.rivals).map((number) => [number, linesOfMarks(log.listMarksAt(number))]),
    free: inOrder(log.undone),
    echoes: inOrder(log.echoes).map((number) => [number, linesOfMarks(log.echoes.get(number))]),
    match: saidOf(state),
    lines: linesOf(state),
  };
}

function told({ posts, closed_after, ...terms }) {
  let log = readLog([]);
  const said = posts.map((post, before) => {
    const answer = answerTo({ ...terms, is_closed: before >= closed_after }, log, post);
    log = answer.log;
    return answer.said;
  });
  const places = log.places.sort(([one], [other]) => one - other);
  const steps = places.map((_, last) =>
    saidOf(fold(terms.ruleset, terms.match_format, places.slice(0, last + 1), terms.first_dealer)));
  return { said, statuses: log.marks.map((mark) => mark.status), steps };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(JSON.parse(line).map(told))}\n`);
}
