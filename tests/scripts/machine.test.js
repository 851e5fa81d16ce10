import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { isAdopted } from "./stored_taps.js";
import { Disk, Timers } from "./indexeddb.js";
import { Outbox, isWaiting } from "./outbox.js";
import { Store } from "./store.js";
import { findDigest, isMarkSaved, loadSavedTable, needsRestore, restoreLogs, saveSnapshot } from "./table/saved_logs.js";
import { foldMatch, needsConfirmation, placeMark, readLog } from "./table/log.js";
import { isSameMatch, pickNewer } from "./table/snapshot.js";
import { buildTable, getMatchTerms, readMark, sawOnlyOwnMark } from "./table/match.js";
import { isSame } from "./table/records.js";
import { Refusal } from "./table/refusals.js";
import { buildTableScreen } from "./table/screen.js";

/**
 * Simulates phones and a server by random steps: players record, undo, correct, choose or agree without waiting; a page
 * sends, polls, is closed or opened again, or another one is opened beside it; the network loses requests or responses,
 * delays or repeats them, breaks off, or answers itself. A tap may be on an outdated screen. In some runs the server is
 * restored from an older copy, once or more; in others a browser closes the database of its open pages, wipes it, is full,
 * refuses to open it, does not answer, upgrades it, or evicts the cached page. After any order of steps, once the network
 * is quiet, the server has each tap once, unchanged, or the phone has shown why not; and every phone shows the match as
 * the server has it.
 */

const INSTALLATION = "our-id";
const STEPS = 80;
const RUNS = Number(process.env.RUNS ?? 72);
const FIRST_SEED = Number(process.env.FROM ?? 0);
const TABLES = ["/t/1", "/t/2"];
const HAND_VALUES = [
  ...["A-5-made", "A-6-7", "B-6-made", "B-7-failed", "A-8-failed"],
  ...["B-mulot-made", "A-charlemagne-made"], // these need a confirmation
];

const { canadian } = JSON.parse(readFileSync(new URL("rulesets.json", import.meta.url), "utf-8"));

/** @param {number} state @returns {() => number} numbers between 0 and 1, the same ones for each seed (mulberry32) */
function createDice(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const timers = new Timers();

const pickOne = (chance, choices) => choices[Math.floor(chance() * choices.length)];

const sides = ["A", "B"].map((letter, side) => ({
  letter, players: [side, side + 2].map((seat) => ({ seat, name: `${letter}${seat}` })),
}));

/** A match on the server, with the snapshot that phones get. */
class Match {
  heard = new Map();
  handlers = { "": this.mark, "/agree": this.agree, "/dealer": this.nameDealer };

  /** @param {() => number} since when its server was started */
  constructor(url, pk, round, since) {
    this.since = since;
    const identity = { evening: "", round, table: pk, opened_at: String(pk).padStart(9, "0"), names: [url] };
    this.known = {
      url, match: { pk, round_number: round, revision: 1, closed_at: null, identity }, ruleset: canadian, match_format: { games_to_win: 2 },
      first_dealer: 0, sides, marks: [], agreements: [], device: "",
    };
  }

  /** @returns {object} the snapshot for phones */
  get snapshot() { return { ...this.known, digest: computeDigest(this.known.marks), since: this.since() }; }

  copy() { return Object.assign(Object.create(Match.prototype), this); }

  /** Checks whether a phone has marks that are missing here. */
  isBehind(heard) {
    const count = parseInt(heard, 10);
    return Boolean(heard) && computeDigest(this.known.marks.slice(0, count)) !== heard;
  }

  /** Restores the saved log of a phone: its marks in order, and its agreements. */
  restoreLog(saved) {
    const not_taken = {};
    const { marks: before, agreements } = this.known;
    for (const line of saved.marks) {
      const seen = this.log.marks.some(({ key, number }) => key === line.supersedes && number === line.number);
      try {
        if (this.log.marks.some(({ key }) => key === line.key)) continue;
        const { log } = placeMark(this.log, { ...line, supersedes: seen ? line.supersedes : null }, getMatchTerms(this.known));
        this.known = { ...this.known, marks: log.marks };
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        not_taken[line.key] = refusal.code;
      }
    }
    const lost = saved.agreements.filter((each) => !agreements.some((there) => isSame(there, each)));
    const { match } = this.known;
    this.known = { ...this.known, agreements: [...agreements, ...lost] };
    if (lost.length || this.known.marks !== before) this.known.match = { ...match, revision: match.revision + 1 };
    return { known: this.snapshot, not_taken };
  }

  get log() { return readLog(this.known.marks); }
  get state() { return foldMatch(getMatchTerms(this.known), this.log.places); }

  /** @returns {"recorded" | "asked"} the outcome; throws a refusal */
  handleEntry(path, values) {
    const { url, match } = this.known;
    const before = this.known;
    if (!this.handlers[path.slice(url.length)].call(this, values)) return "asked";
    if (this.known !== before) this.known = { ...this.known, match: { ...match, revision: match.revision + 1 } };
    return "recorded";
  }

  mark(values) {
    const mark = readMark(this.known, values, "");
    const isThere = this.log.marks.some(({ key }) => key === mark.key);
    const asks = { ...mark, confirmed: Boolean(values.confirmed) };
    if (!isThere && needsConfirmation(getMatchTerms(this.known), this.log, asks)) return false;
    const { marks } = placeMark(this.log, mark, getMatchTerms(this.known)).log;
    if (!isThere) this.known = { ...this.known, marks };
    return true;
  }

  agree({ side, game: number, seen: agreed_to }) {
    const game = this.state.games[Number(number) - 1];
    if (!game) throw new Refusal("game_not_over", "game");
    if (`${game.points.join("-")} ${game.winner} ${game.by}` !== agreed_to) throw new Refusal("game_changed", "game");
    const { agreements } = this.known;
    const agreement = { game: Number(number), side, agreed_to, created_at: "" };
    if (agreements.some((each) => isSame(each, agreement))) return true;
    this.known = { ...this.known, agreements: [...agreements, agreement] };
    return true;
  }

  nameDealer({ seat, seen }) {
    if (this.known.first_dealer === Number(seat)) return true;
    if (this.known.match.closed_at) throw new Refusal("match_closed", "dealer");
    if (this.known.first_dealer !== Number(seen)) throw new Refusal("dealer_changed", "dealer");
    this.known = { ...this.known, first_dealer: Number(seat) };
    return true;
  }

  close() {
    const { match } = this.known;
    this.known = { ...this.known, match: { ...match, closed_at: "now", revision: match.revision + 1 } };
  }
}

const computeDigest = (marks) => `${marks.length}.${marks.map(({ key }) => key)}`;

/** A server with the matches of each table, the newest last, behind a network that fails often until it is quiet. */
class Server {
  starts = 1;
  since = () => this.starts;
  matches = new Map(TABLES.map((url, table) => [url, [new Match(url, table + 1, 1, this.since)]]));
  lateRequests = [];
  isQuiet = false;
  isRestored = false;
  last = TABLES.length;

  /** @param {() => number} chance */
  constructor(chance) { this.chance = chance; }

  matchAt(url) { return this.matches.get(url).at(-1); }

  startRound(url) {
    const { known: { match: { round_number: round } } } = this.matchAt(url);
    this.last += 1;
    this.matchAt(url).close();
    this.matches.get(url).push(new Match(url, this.last, round + 1, this.since));
    this.rounds.set(url, Math.max(round + 1, this.rounds.get(url)));
  }

  rounds = new Map(TABLES.map((url) => [url, 1]));

  copyMatches() {
    return new Map([...this.matches].map(([url, matches]) => [url, matches.map((match) => match.copy())]));
  }

  restoreCopy(copy) {
    this.isRestored = true;
    this.starts += 1;
    this.matches = copy;
  }

  /** Draws the rounds again that the restored copy lacks. */
  redrawRounds() {
    for (const [url, round] of this.rounds) while (this.matchAt(url).known.match.round_number < round) this.startRound(url);
  }

  async answer(path, body) {
    for (let waits = Math.floor(this.chance() * 6); waits; waits -= 1) await null;
    const fate = this.isQuiet ? 1 : this.chance();
    if (fate < 0.1) throw new TypeError("lost on its way");
    if (fate < 0.15) return new Response("<h1>Free Wi-Fi</h1>");
    if (fate < 0.2) return new Response("", { status: 503, headers: { Charlemagne: INSTALLATION } });
    if (fate < 0.25) this.lateRequests.push([path, body]);
    if (fate < 0.25) throw new TypeError("it comes when nobody waits for its answer");
    const url = TABLES.find((each) => path.startsWith(each));
    const isLog = path === `${url}/log`;
    const headers = { Charlemagne: INSTALLATION, ...(body && !isLog && this.handleEntry(path, body)) };
    const restored = isLog && this.restoreLogsAt(url, JSON.parse(body.get("logs")));
    if (fate < 0.3 && body && !isLog) this.handleEntry(path, body);
    if (fate < 0.4) throw new TypeError("its answer is lost");
    if (fate < 0.45) return new Response(createBrokenStream(), { headers });
    if (fate < 0.5) return new Response("", { status: 500, headers: { Charlemagne: INSTALLATION } });
    if (isLog) headers["Content-Type"] = "application/json";
    return new Response(JSON.stringify(isLog ? restored : this.matchAt(url).snapshot), { headers });
  }

  /** @returns {object} the headers with the outcome of an entry */
  handleEntry(path, body) {
    const values = Object.fromEntries(body);
    const url = TABLES.find((each) => path.startsWith(each));
    const match = this.matches.get(url).find(({ known }) => known.match.pk === Number(values.match));
    const result = this.#handleValues(match, path, values);
    return { "Charlemagne-Entry": `${values.entry_key} ${result.outcome}`, "Charlemagne-Reason": result.reason ?? "" };
  }

  restoreLogsAt(url, saved) {
    const logs = saved.map((log) => {
      const match = this.matches.get(url).find(({ known }) => isSameMatch(known, log));
      return match ? match.restoreLog(log) : { known: null, not_taken: {} };
    });
    return { known: this.matchAt(url).snapshot, logs };
  }

  #handleValues(match, path, values) {
    const { heard } = values;
    if (!match) return heard && !heard.startsWith("0.") ? { outcome: "behind" } : { outcome: "refused", reason: "no_such_match" };
    if (match.isBehind(heard)) return { outcome: "behind" };
    try {
      return { outcome: match.handleEntry(path, values) };
    } catch (refusal) {
      if (refusal instanceof Refusal) return { outcome: "refused", reason: refusal.code };
      throw refusal;
    }
  }

  /** Delivers late requests. */
  deliverLate(count = this.lateRequests.length) {
    for (const [path, body] of this.lateRequests.splice(0, count)) if (body && !path.endsWith("/log")) this.handleEntry(path, body);
  }
}

function createBrokenStream() {
  return new ReadableStream({ start: (stream) => stream.error(new TypeError("half of it is missing")) });
}

/** A page of a table, with its last snapshot and its outbox. */
class Page {
  isClosed = false;
  /** The table as it was drawn last, with its snapshot. */
  screen = null;

  constructor(phone, url, known) {
    Object.assign(this, { phone, url, known });
    this.store = phone.store ?? new Store(phone.disk.createFactory(this));
    this.outbox = new Outbox({
      store: this.store, installation: INSTALLATION, page: url, getToken: () => "token", fetch: this.fetch,
      getDigest: async (entry) => findDigest(await loadSavedTable(this.store, INSTALLATION, entry.table), entry),
      onServerBehind: (table) => this.restoreLogs(table),
      saveAnswer: async ({ entry, text }) => {
        await this.processSnapshot(entry.table, JSON.parse(text));
        return isMarkSaved(await loadSavedTable(this.store, INSTALLATION, entry.table), JSON.parse(text), entry);
      },
      onAnswer: this.handleAnswer,
    });
  }

  fetch = async (path, { body } = {}) => {
    if (this.isClosed) throw new TypeError("no page");
    const answer = await this.phone.server.answer(path, body);
    if (this.isClosed) throw new TypeError("no page");
    return answer;
  };

  handleAnswer = async ({ entry, receipt: { outcome } }) => {
    if (outcome !== "asked") this.phone.notifiedKeys.add(entry.values.entry_key);
    if (entry.table === this.url && outcome === "asked") await this.confirm(entry);
  };

  async fetchNews() {
    try {
      const answer = await this.fetch(this.url);
      if (answer.ok && answer.headers.get("Charlemagne")) await this.processSnapshot(this.url, await answer.json());
    } catch { /* with the next question */ }
  }

  async processSnapshot(table, snapshot) {
    if (table === this.url) this.known = pickNewer(this.known, snapshot);
    const before = await saveSnapshot(this.store, INSTALLATION, table, snapshot);
    if (needsRestore(before, snapshot)) await this.restoreLogs(table);
  }

  async restoreLogs(table) {
    const { store } = this;
    const ask = async (path, more) => {
      try {
        const answer = await this.fetch(path, more);
        return answer.headers.get("Charlemagne") ? answer : null;
      } catch {
        return null;
      }
    };
    await restoreLogs({ store, installation: INSTALLATION, request: ask, getToken: () => "token" }, table, (known) => {
      if (table === this.url) this.known = known;
    });
  }

  /** Confirms a hand, or cancels it in one of three cases. */
  async confirm(entry) {
    if (this.phone.chance() < 0.33) {
      this.phone.notifiedKeys.add(entry.values.entry_key);
      await this.outbox.drop(entry);
    } else await this.outbox.add({ ...entry, values: { ...entry.values, confirmed: "1" } });
  }

  /** @returns {Promise<object>} the current table, with snapshots saved by other pages of this phone */
  async buildTable() {
    const entries = await this.listEntries(this.url);
    this.known = pickNewer(this.known, (await loadSavedTable(this.store, INSTALLATION, this.url)).known);
    return buildTable(this.known, entries);
  }

  /** Lists the entries, and deletes the stored taps that were answered, like the page. */
  async listEntries(url) {
    const entries = await this.outbox.listEntries();
    const { taps } = this.phone;
    for (const entry of entries) {
      if (!isWaiting(entry)) taps.delete(entry.values.entry_key);
    }
    return entries.filter(({ table }) => !url || table === url);
  }

  /** Adds the stored taps that are missing in the database. */
  async adoptTaps() {
    const entries = await this.listEntries();
    for (const tap of this.phone.taps.values()) if (!entries.some((each) => isAdopted(each, tap))) await this.outbox.add(tap);
    await this.listEntries();
  }

  async draw() {
    const table = await this.buildTable();
    this.screen = { table, known: this.known };
    return this.screen;
  }

  /** Taps like a player, sometimes on an outdated screen; the page asks, refuses, or stores the tap. */
  async tap() {
    const { chance, tapped, name } = this.phone;
    const isOld = this.screen && chance() < 0.3;
    const { table, known } = isOld ? this.screen : await this.draw();
    const [path, formValues] = chooseTap(chance, buildTableScreen(table), table.known.first_dealer);
    const key = `${name}0000000-0000-4000-8000-${String(tapped.length).padStart(12, "0")}`;
    const values = { match: String(known.match.pk), entry_key: key, ...formValues };
    if (sawOnlyOwnMark(known, await this.outbox.listEntries(this.url), values)) values.saw_only = "1";
    if (path === "" && !this.#canMark(await this.buildTable(), values)) return;
    const seenMarks = table.log.listMarksAt(Number(values.number));
    tapped.push({ path: this.url + path, values, saw: seenMarks });
    const entry = { table: this.url, path: this.url + path, number: "1", values, order: this.store.generateOrder() };
    this.phone.taps.set(key, entry);
    await this.outbox.add(entry);
    assert.ok(listKeys(await this.listEntries()).includes(key), `${key} is gone at once`);
    await this.draw();
  }

  #canMark({ known, log }, values) {
    try {
      const mark = readMark(known, values, "");
      placeMark(log, mark, getMatchTerms(known));
      if (needsConfirmation(getMatchTerms(known), log, { ...mark, confirmed: false })) values.confirmed = "1";
      return true;
    } catch (refusal) {
      if (refusal instanceof Refusal) return false;
      throw refusal;
    }
  }
}

/** @returns {[string, object]} the path and the values of a form that the screen offers */
function chooseTap(chance, { number, lines, contested_lines, last, finished_game: game }, dealer) {
  const what = chance();
  if (game?.pending_sides.length && what < 0.4) {
    return ["/agree", { game: String(game.game.number), seen: game.text, side: pickOne(chance, game.pending_sides).letter }];
  }
  if (contested_lines.length && what < 0.4) {
    const { newest, choices, number: theirs } = pickOne(chance, contested_lines);
    const { record } = pickOne(chance, choices).mark;
    return ["", { number: String(theirs), supersedes: newest.key, confirmed: "1", ...toStrings(record) }];
  }
  if (!last && what < 0.2) return ["/dealer", { seat: String(Math.floor(chance() * 4)), seen: String(dealer) }];
  if (last && what < 0.2) return ["", { number: String(last.number), supersedes: last.newest.key, kind: "undone" }];
  const handValue = pickOne(chance, HAND_VALUES);
  if (!last || what < 0.85) return ["", { number: String(number), said: handValue }];
  const corrected = pickOne(chance, lines);
  return ["", { number: String(corrected.number), supersedes: corrected.newest.key, said: handValue }];
}

const toStrings = (record) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, String(value)]));

/** A phone with its open pages and its taps. Its disk outlasts its pages. */
class Phone {
  /** Shared by all pages of a browser without faults, which is much faster. @type {?Store} */
  store = null;
  disk = new Disk();
  hasCache = false;
  /** The waiting taps in localStorage. */
  taps = new Map();
  pages = [];
  tapped = [];
  /** The keys of taps whose outcome was shown. */
  notifiedKeys = new Set();

  constructor(name, server, chance) { Object.assign(this, { name, server, chance }); }

  /** Opens the page from the server, or from the cache without a network. */
  async open(url) {
    const page = this.openSaved(url, this.server.matchAt(url).snapshot);
    const { known } = await loadSavedTable(page.store, INSTALLATION, url);
    const isAway = known && this.hasCache && !this.server.isQuiet && this.chance() < 0.5;
    if (known) page.known = known;
    if (!isAway) await page.processSnapshot(url, this.server.matchAt(url).snapshot);
    this.hasCache = true;
    await page.adoptTaps();
    return page;
  }

  openSaved(url, known) {
    const page = new Page(this, url, known);
    this.pages.push(page);
    return page;
  }

  /** Taps, sends, polls, opens or closes a page at random. */
  async step() {
    const page = pickOne(this.chance, this.pages) ?? await this.open(pickOne(this.chance, TABLES));
    const what = this.chance();
    if (what < 0.45) await page.tap();
    else if (what < 0.7) page.outbox.flush();
    else if (what < 0.85) page.fetchNews();
    else if (what < 0.92) await this.open(pickOne(this.chance, TABLES));
    else if (!page.outbox.hasUnsavedEntries(await page.outbox.listWaiting())) this.close(page); // unless it warned against closing
  }

  /** Applies a random fault of a browser. */
  async breakBrowser() {
    const { disk, chance } = this;
    this.wasBroken = true;
    const what = chance();
    if (what < 0.2) disk.close(chance() < 0.5);
    else if (what < 0.35) await this.#wipe();
    else if (what < 0.5) disk.isFull = !disk.isFull;
    else if (what < 0.6) disk.isRefused = !disk.isRefused;
    else if (what < 0.7) disk.isSilent = !disk.isSilent;
    else if (what < 0.8) disk.upgrade(disk.version && disk.version + 1);
    else if (what < 0.9) this.hasCache = false;
    else timers.advance(5_000);
  }

  /** Clears the site's data while an open page has all of them in memory. */
  async #wipe() {
    const { disk } = this;
    const page = this.pages.at(-1);
    const seen = await page?.outbox.listEntries();
    const isSeen = seen?.length === disk.listItems("entries").length && !page.outbox.hasUnsavedEntries(seen);
    if (!isSeen || disk.isFull || disk.isRefused || disk.isSilent) return;
    for (const url of TABLES) await loadSavedTable(page.store, INSTALLATION, url);
    disk.wipe();
    this.taps.clear();
    this.hasCache = false;
    await page.outbox.listEntries();
  }

  /** Ends all faults of the browser. */
  async recover() {
    Object.assign(this.disk, { isFull: false, isRefused: false, isSilent: false });
    for (const { store } of this.pages) await store.recover();
  }

  close(page) {
    page.isClosed = true;
    this.pages.splice(this.pages.indexOf(page), 1);
  }

  /** Sends all waiting entries from their own pages. */
  async sendAll() {
    for (const { outbox } of [...this.pages]) {
      for (let round = 0; round < STEPS && (!round || outbox.hasUnsavedEntries(await outbox.listWaiting())); round += 1) await outbox.flush();
    }
    for (const url of TABLES) await (await this.open(url)).fetchNews();
    for (let round = 0; round < STEPS && (await this.listWaiting()).length; round += 1) {
      for (const url of TABLES) await (await this.open(url)).outbox.flush();
    }
  }

  async listWaiting() { return (this.pages.at(-1) ?? await this.open(TABLES[0])).outbox.listWaiting(); }
}

async function playMatch(seed) {
  timers.clear();
  Math.random = createDice(seed);
  const chance = createDice(seed);
  const server = new Server(chance);
  const phones = ["a", "b"].map((name) => new Phone(name, server, chance));
  const isPutBack = seed % 4 === 3;
  const suffers = seed % 6 === 5;
  for (const phone of phones) if (!suffers) phone.store = new Store(null);
  let copy = server.copyMatches();
  for (let step = 0; step < STEPS; step += 1) {
    await timers.runUntil(pickOne(chance, phones).step());
    if (suffers) timers.advance(1_000);
    if (suffers && chance() < 0.2) await timers.runUntil(pickOne(chance, phones).breakBrowser());
    if (isPutBack && chance() < 0.05) copy = server.copyMatches();
    if (isPutBack && chance() < 0.03) server.restoreCopy(copy);
    if (isPutBack) copy = new Map([...copy].map(([url, matches]) => [url, matches.map((match) => match.copy())]));
    if (chance() < 0.1) server.deliverLate(1);
    if (chance() < 0.003) server.startRound(pickOne(chance, TABLES));
  }
  server.isQuiet = true;
  for (const phone of phones) await timers.runUntil(phone.recover());
  if (server.isRestored) for (const phone of phones) await timers.runUntil(phone.sendAll());
  server.redrawRounds();
  for (const phone of phones) await timers.runUntil(phone.sendAll());
  server.deliverLate();
  return { server, phones };
}

/** Checks that the server has every tap once, unchanged, in the order of its phone, or that its refusal was shown. */
async function checkTaps(server, phone, seen) {
  const entries = await phone.pages.at(-1).outbox.listEntries();
  const keys = listKeys(entries);
  const gone = listKeys(phone.tapped).filter((key) => !keys.includes(key));
  assert.deepEqual(keys, listKeys(phone.tapped).filter((key) => keys.includes(key)), `${phone.name} has other taps, or in another order`);
  assert.deepEqual(gone.filter((key) => !phone.notifiedKeys.has(key)), [], `${phone.name} has not kept what was tapped`);
  assert.ok(phone.wasBroken || !gone.length, `${phone.name} has forgotten ${gone}`);
  const last = new Map();
  for (const { values, table, path, state, reason } of entries) {
    countOutcome(seen, state);
    if (state === "refused") assert.ok(reason, `${values.entry_key} is refused, and nobody knows why`);
    else if (state === "superseded") assert.ok(!values.confirmed, `${values.entry_key} was dropped`);
    else assert.equal(state, "accepted", `${values.entry_key} still waits`);
    if (state !== "accepted" || path === `${table}/dealer`) continue;
    const match = server.matches.get(table).find((each) => each.known.match.pk === Number(values.match));
    assert.ok(match, `${values.entry_key} is of a match that is gone`);
    const { known, log } = match;
    if (path === `${table}/agree`) assert.ok(known.agreements.some(matchesAgreement(values)), "an agreement is lost");
    if (path !== table) continue;
    const at = log.marks.findIndex(({ key }) => key === values.entry_key);
    assert.ok(at >= 0, `${values.entry_key} is lost`);
    assert.ok(server.isRestored || phone.wasBroken || at > (last.get(known) ?? -1), `${values.entry_key} overtook another`);
    assert.deepEqual(log.marks[at].record, readMark(known, values, "").record);
    last.set(known, at);
  }
}

const listKeys = (entries) => entries.map(({ values }) => values.entry_key);

const countOutcome = (seen, what) => { seen[what] = (seen[what] ?? 0) + 1; };

const matchesAgreement = ({ game, side, seen }) => (agreement) =>
  agreement.game === Number(game) && agreement.side === side && agreement.agreed_to === seen;

/** Checks that each mark was tapped and is there once; a replaced one was seen by the phone that replaced it, or the table
 * chose another. */
function checkMarks(marks, tapped, seen, isPutBack) {
  assert.equal(new Set(marks.map(({ key }) => key)).size, marks.length, "a mark stands twice");
  for (const [at, { key, number, status, record }] of marks.entries()) {
    assert.ok(tapped.has(key), "a mark that nobody tapped");
    countOutcome(seen, status === "superseded" ? "replaced" : status);
    if (status !== "superseded" || record.kind === "undone" || isPutBack) continue;
    const here = marks.filter((mark) => mark.number === number);
    const later = marks.slice(at + 1).filter((mark) => here.includes(mark));
    const isSeen = later.some((mark) => tapped.get(mark.key).saw.some(hasSameRecord(record)));
    const isChosen = later.some((mark) => here.slice(0, here.indexOf(mark)).some(hasSameRecord(mark.record)));
    assert.ok(isSeen || isChosen, `${key} is gone, and nobody had seen it`);
  }
}

const hasSameRecord = (record) => (mark) => isSame(mark.record, record);

/** Checks that recorded taps are shown without a poll, and that after one the match is that of the server. */
async function checkScreens(server, phone) {
  for (const url of TABLES) {
    const page = phone.openSaved(url, (await loadSavedTable(phone.pages.at(-1).store, INSTALLATION, url)).known ?? server.matchAt(url).snapshot);
    const here = (await page.buildTable()).log.marks.map(({ key }) => key);
    const accepted = (await page.outbox.listEntries(url)).filter(({ state, path, values }) =>
      state === "accepted" && path === url && Number(values.match) === page.known.match.pk);
    assert.deepEqual(listKeys(accepted).filter((key) => !here.includes(key)), [], "what was recorded is not shown");
    await page.fetchNews();
    const { known, log, state } = await page.buildTable();
    const { known: theirs, log: serverLog, state: serverState } = server.matchAt(url);
    const shown = ({ match, first_dealer, marks }) => ({ match, first_dealer, marks });
    assert.deepEqual(shown(known), shown(theirs));
    assert.deepEqual([...log.rivals.keys()], [...serverLog.rivals.keys()]);
    assert.deepEqual(summarizeState(state), summarizeState(serverState));
  }
}

const summarizeState = ({ game, games, games_won, points, dealer, is_over, winner, lines }) => (
  { game, games, games_won, points, dealer, is_over, winner, lines });

test("after any order of taps, lost responses and reloads each tap is recorded once or its refusal is shown", async () => {
  const seen = {};
  for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
    try {
      const { server, phones } = await playMatch(seed);
      const tapped = new Map(phones.flatMap((phone) => phone.tapped).map((tap) => [tap.values.entry_key, tap]));
      for (const match of [...server.matches.values()].flat()) checkMarks(match.known.marks, tapped, seen, server.isRestored);
      for (const phone of phones) await checkTaps(server, phone, seen);
      for (const phone of phones) await checkScreens(server, phone);
    } catch (error) {
      error.message = `seed ${seed}: ${error.message}`;
      throw error;
    }
  }
  const outcomes = ["current", "echo", "rival", "replaced", "refused", "superseded"];
  assert.ok(outcomes.every((what) => seen[what] > RUNS / 80), JSON.stringify(seen));
});
