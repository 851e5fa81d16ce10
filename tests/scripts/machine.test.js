import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { isAdopted } from "./earlier_hands.js";
import { Disk, Timers } from "./indexeddb.js";
import { Outbox, isWaiting } from "./outbox.js";
import { Store } from "./store.js";
import { bringBack, digestFor, isKept, keepHeard, keptAt, mayLack } from "./table/kept_logs.js";
import { asksFirst, foldMatch, place, readLog } from "./table/log.js";
import { isSameMatch, newer } from "./table/known.js";
import { markOf, matchOf, sawOnly, tableWith } from "./table/match.js";
import { isSame } from "./table/records.js";
import { Refusal } from "./table/refusals.js";
import { tableScreen } from "./table/screen.js";

/**
 * Phones and a server as one machine, which takes steps by lot: somebody marks, undoes, corrects, chooses or agrees
 * without waiting; a page sends, asks for news, is closed, opened again, or another one beside it; the network loses
 * what is sent, or what is answered, brings it late or twice, breaks off, or answers itself. A finger rests on a screen
 * while news come. In some runs the server is put back to an older copy, once or more; in others a browser closes the
 * database of its open pages, wipes it, is full, refuses to open it, does not answer, gets a newer version of it, or
 * evicts the page that it has cached. After any order of steps, once the network is quiet, each tap stands at the server
 * once and as it was tapped, or whoever holds the phone was told why not; and every phone shows the match as the server
 * has it.
 */

const HERE = "our-id";
const STEPS = 80;
const RUNS = Number(process.env.RUNS ?? 72);
const FROM = Number(process.env.FROM ?? 0);
const TABLES = ["/t/1", "/t/2"];
const SAID = [
  ...["A-5-made", "A-6-7", "B-6-made", "B-7-failed", "A-8-failed"],
  ...["B-mulot-made", "A-charlemagne-made"], // these are read aloud
];

const { canadian } = JSON.parse(readFileSync(new URL("rulesets.json", import.meta.url), "utf-8"));

/** @param {number} state @returns {() => number} dice between 0 and 1 that fall alike for each seed (mulberry32) */
function dice(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const timers = new Timers();

const oneOf = (chance, choices) => choices[Math.floor(chance() * choices.length)];

const sides = ["A", "B"].map((letter, side) => ({
  letter, players: [side, side + 2].map((seat) => ({ seat, name: `${letter}${seat}` })),
}));

/** A match at the server: as a phone would know it, and what became of each key. */
class Match {
  heard = new Map();
  doors = { "": this.mark, "/agree": this.agree, "/dealer": this.nameDealer };

  /** @param {() => number} since when its server was started */
  constructor(url, pk, round, since) {
    this.since = since;
    const identity = { evening: "", round, table: pk, opened_at: String(pk).padStart(9, "0"), names: [url] };
    this.known = {
      url, match: { pk, round_number: round, revision: 1, closed_at: null, identity }, ruleset: canadian, match_format: { games_to_win: 2 },
      first_dealer: 0, sides, marks: [], agreements: [], device: "",
    };
  }

  /** @returns {object} as a phone hears it */
  get said() { return { ...this.known, digest: digestOf(this.known.marks), since: this.since() }; }

  copy() { return Object.assign(Object.create(Match.prototype), this); }

  /** Whether a phone has heard more of it than is here. */
  isBehind(heard) {
    const count = parseInt(heard, 10);
    return Boolean(heard) && digestOf(this.known.marks.slice(0, count)) !== heard;
  }

  /** What a phone has kept of it comes back: its marks in their order, and what was agreed to. */
  bringBack(kept) {
    const not_taken = {};
    const { marks: before, agreements } = this.known;
    for (const line of kept.marks) {
      const seen = this.log.marks.some(({ key, number }) => key === line.supersedes && number === line.number);
      try {
        if (this.log.marks.some(({ key }) => key === line.key)) continue;
        const { log } = place(this.log, { ...line, supersedes: seen ? line.supersedes : null }, matchOf(this.known));
        this.known = { ...this.known, marks: log.marks };
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        not_taken[line.key] = refusal.code;
      }
    }
    const lost = kept.agreements.filter((each) => !agreements.some((there) => isSame(there, each)));
    const { match } = this.known;
    this.known = { ...this.known, agreements: [...agreements, ...lost] };
    if (lost.length || this.known.marks !== before) this.known.match = { ...match, revision: match.revision + 1 };
    return { known: this.said, not_taken };
  }

  get log() { return readLog(this.known.marks); }
  get state() { return foldMatch(matchOf(this.known), this.log.places); }

  /** @returns {"recorded" | "asked"} or throws a refusal */
  hear(path, values) {
    const { url, match } = this.known;
    const before = this.known;
    if (!this.doors[path.slice(url.length)].call(this, values)) return "asked";
    if (this.known !== before) this.known = { ...this.known, match: { ...match, revision: match.revision + 1 } };
    return "recorded";
  }

  mark(values) {
    const mark = markOf(this.known, values, "");
    const isThere = this.log.marks.some(({ key }) => key === mark.key);
    const asks = { ...mark, confirmed: Boolean(values.confirmed) };
    if (!isThere && asksFirst(matchOf(this.known), this.log, asks)) return false;
    const { marks } = place(this.log, mark, matchOf(this.known)).log;
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

const digestOf = (marks) => `${marks.length}.${marks.map(({ key }) => key)}`;

/** Each table's matches, the newest last; behind a network that spoils every other request until it is quiet. */
class Server {
  starts = 1;
  since = () => this.starts;
  matches = new Map(TABLES.map((url, table) => [url, [new Match(url, table + 1, 1, this.since)]]));
  late = [];
  isQuiet = false;
  isPutBack = false;
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

  copied() {
    return new Map([...this.matches].map(([url, matches]) => [url, matches.map((match) => match.copy())]));
  }

  putBack(copy) {
    this.isPutBack = true;
    this.starts += 1;
    this.matches = copy;
  }

  /** The desk draws the rounds again that the copy lacks, as the phones say. */
  drawAgain() {
    for (const [url, round] of this.rounds) while (this.matchAt(url).known.match.round_number < round) this.startRound(url);
  }

  async answer(path, body) {
    for (let waits = Math.floor(this.chance() * 6); waits; waits -= 1) await null;
    const fate = this.isQuiet ? 1 : this.chance();
    if (fate < 0.1) throw new TypeError("lost on its way");
    if (fate < 0.15) return new Response("<h1>Free Wi-Fi</h1>");
    if (fate < 0.2) return new Response("", { status: 503, headers: { Charlemagne: HERE } });
    if (fate < 0.25) this.late.push([path, body]);
    if (fate < 0.25) throw new TypeError("it comes when nobody waits for its answer");
    const url = TABLES.find((each) => path.startsWith(each));
    const isLog = path === `${url}/log`;
    const headers = { Charlemagne: HERE, ...(body && !isLog && this.hear(path, body)) };
    const brought = isLog && this.bringBack(url, JSON.parse(body.get("logs")));
    if (fate < 0.3 && body && !isLog) this.hear(path, body);
    if (fate < 0.4) throw new TypeError("its answer is lost");
    if (fate < 0.45) return new Response(brokenOff(), { headers });
    if (fate < 0.5) return new Response("", { status: 500, headers: { Charlemagne: HERE } });
    if (isLog) headers["Content-Type"] = "application/json";
    return new Response(JSON.stringify(isLog ? brought : this.matchAt(url).said), { headers });
  }

  /** @returns {object} the headers that say of an entry what became of it */
  hear(path, body) {
    const values = Object.fromEntries(body);
    const url = TABLES.find((each) => path.startsWith(each));
    const match = this.matches.get(url).find(({ known }) => known.match.pk === Number(values.match));
    const told = this.#outcome(match, path, values);
    return { "Charlemagne-Entry": `${values.entry_key} ${told.outcome}`, "Charlemagne-Reason": told.reason ?? "" };
  }

  bringBack(url, kept) {
    const logs = kept.map((log) => {
      const match = this.matches.get(url).find(({ known }) => isSameMatch(known, log));
      return match ? match.bringBack(log) : { known: null, not_taken: {} };
    });
    return { known: this.matchAt(url).said, logs };
  }

  #outcome(match, path, values) {
    const { heard } = values;
    if (!match) return heard && !heard.startsWith("0.") ? { outcome: "behind" } : { outcome: "refused", reason: "no_such_match" };
    if (match.isBehind(heard)) return { outcome: "behind" };
    try {
      return { outcome: match.hear(path, values) };
    } catch (refusal) {
      if (refusal instanceof Refusal) return { outcome: "refused", reason: refusal.code };
      throw refusal;
    }
  }

  /** What was late comes. */
  bring(count = this.late.length) {
    for (const [path, body] of this.late.splice(0, count)) if (body && !path.endsWith("/log")) this.hear(path, body);
  }
}

function brokenOff() {
  return new ReadableStream({ start: (stream) => stream.error(new TypeError("half of it is missing")) });
}

/** A page of a table: what the server last said, what is kept on the phone, and a finger. */
class Page {
  isClosed = false;
  /** The table as it was drawn last, and what was known then. */
  screen = null;

  constructor(phone, url, known) {
    Object.assign(this, { phone, url, known });
    this.store = phone.store ?? new Store(phone.disk.of(this));
    this.outbox = new Outbox({
      store: this.store, installation: HERE, page: url, token: () => "token", fetch: this.fetch,
      digestFor: async (entry) => digestFor(await keptAt(this.store, HERE, entry.table), entry),
      onBehind: (table) => this.bringBack(table),
      learn: async ({ entry, text }) => {
        await this.learn(entry.table, JSON.parse(text));
        return isKept(await keptAt(this.store, HERE, entry.table), JSON.parse(text), entry);
      },
      onAnswer: this.hear,
    });
  }

  fetch = async (path, { body } = {}) => {
    if (this.isClosed) throw new TypeError("no page");
    const answer = await this.phone.server.answer(path, body);
    if (this.isClosed) throw new TypeError("no page");
    return answer;
  };

  hear = async ({ entry, receipt: { outcome } }) => {
    if (outcome !== "asked") this.phone.told.add(entry.values.entry_key);
    if (entry.table === this.url && outcome === "asked") await this.confirm(entry);
  };

  async askForNews() {
    try {
      const answer = await this.fetch(this.url);
      if (answer.ok && answer.headers.get("Charlemagne")) await this.learn(this.url, await answer.json());
    } catch { /* with the next question */ }
  }

  async learn(table, said) {
    if (table === this.url) this.known = newer(this.known, said);
    const before = await keepHeard(this.store, HERE, table, said);
    if (mayLack(before, said)) await this.bringBack(table);
  }

  async bringBack(table) {
    const { store } = this;
    const ask = async (path, more) => {
      try {
        const answer = await this.fetch(path, more);
        return answer.headers.get("Charlemagne") ? answer : null;
      } catch {
        return null;
      }
    };
    await bringBack({ store, installation: HERE, ask, token: () => "token" }, table, (known) => {
      if (table === this.url) this.known = known;
    });
  }

  /** Yes; or no, for one in three: then it was never marked. */
  async confirm(entry) {
    if (this.phone.chance() < 0.33) {
      this.phone.told.add(entry.values.entry_key);
      await this.outbox.drop(entry);
    } else await this.outbox.add({ ...entry, values: { ...entry.values, confirmed: "1" } });
  }

  /** @returns {Promise<object>} as it is drawn now, with what another page of this phone has heard */
  async table() {
    const entries = await this.entries(this.url);
    this.known = newer(this.known, (await keptAt(this.store, HERE, this.url)).known);
    return tableWith(this.known, entries);
  }

  /** As the page shows them, which forgets the taps that were answered. */
  async entries(url) {
    const entries = await this.outbox.entries();
    const { taps } = this.phone;
    for (const entry of entries) {
      if (!isWaiting(entry)) taps.delete(entry.values.entry_key);
    }
    return entries.filter(({ table }) => !url || table === url);
  }

  /** What waits, and is in no database. */
  async adoptTaps() {
    const entries = await this.entries();
    for (const tap of this.phone.taps.values()) if (!entries.some((each) => isAdopted(each, tap))) await this.outbox.add(tap);
    await this.entries();
  }

  async draw() {
    const table = await this.table();
    this.screen = { table, known: this.known };
    return this.screen;
  }

  /** As the page does it: what it shows is asked about, refused at once, or kept; and the screen may be an old one. */
  async tap() {
    const { chance, tapped, name } = this.phone;
    const isOld = this.screen && chance() < 0.3;
    const { table, known } = isOld ? this.screen : await this.draw();
    const [what, said] = someTap(chance, tableScreen(table), table.known.first_dealer);
    const key = `${name}0000000-0000-4000-8000-${String(tapped.length).padStart(12, "0")}`;
    const values = { match: String(known.match.pk), entry_key: key, ...said };
    if (sawOnly(known, await this.outbox.entries(this.url), values)) values.saw_only = "1";
    if (what === "" && !this.#isMarked(await this.table(), values)) return;
    const saw = table.log.marksAt(Number(values.number));
    tapped.push({ path: this.url + what, values, saw });
    const entry = { table: this.url, path: this.url + what, number: "1", values, order: this.store.nextOrder() };
    this.phone.taps.set(key, entry);
    await this.outbox.add(entry);
    assert.ok(keysOf(await this.entries()).includes(key), `${key} is gone at once`);
    await this.draw();
  }

  #isMarked({ known, log }, values) {
    try {
      const mark = markOf(known, values, "");
      place(log, mark, matchOf(known));
      if (asksFirst(matchOf(known), log, { ...mark, confirmed: false })) values.confirmed = "1";
      return true;
    } catch (refusal) {
      if (refusal instanceof Refusal) return false;
      throw refusal;
    }
  }
}

/** @returns {[string, object]} where the form goes, and what it says, as the screen offers it */
function someTap(chance, { number, lines, contested, last, finished_game: game }, dealer) {
  const what = chance();
  if (game?.to_agree.length && what < 0.4) {
    return ["/agree", { game: String(game.game.number), seen: game.text, side: oneOf(chance, game.to_agree).letter }];
  }
  if (contested.length && what < 0.4) {
    const { newest, choices, number: theirs } = oneOf(chance, contested);
    const { record } = oneOf(chance, choices).mark;
    return ["", { number: String(theirs), supersedes: newest.key, confirmed: "1", ...stringsOf(record) }];
  }
  if (!last && what < 0.2) return ["/dealer", { seat: String(Math.floor(chance() * 4)), seen: String(dealer) }];
  if (last && what < 0.2) return ["", { number: String(last.number), supersedes: last.newest.key, kind: "undone" }];
  const said = oneOf(chance, SAID);
  if (!last || what < 0.85) return ["", { number: String(number), said }];
  const corrected = oneOf(chance, lines);
  return ["", { number: String(corrected.number), supersedes: corrected.newest.key, said }];
}

const stringsOf = (record) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, String(value)]));

/** A phone, the pages that are open on it, and what whoever holds it has tapped. Its disk outlasts its pages. */
class Phone {
  /** Of all its pages, if its browser works as it should: they then play much faster. @type {?Store} */
  store = null;
  disk = new Disk();
  hasCache = false;
  /** What localStorage has of taps that wait. */
  taps = new Map();
  pages = [];
  tapped = [];
  /** The keys of taps of which somebody has read what became of them. */
  told = new Set();

  constructor(name, server, chance) { Object.assign(this, { name, server, chance }); }

  /** The page as the server has it, or without a network as it was kept. */
  async open(url) {
    const page = this.openAsKept(url, this.server.matchAt(url).said);
    const { known } = await keptAt(page.store, HERE, url);
    const isAway = known && this.hasCache && !this.server.isQuiet && this.chance() < 0.5;
    if (known) page.known = known;
    if (!isAway) await page.learn(url, this.server.matchAt(url).said);
    this.hasCache = true;
    await page.adoptTaps();
    return page;
  }

  openAsKept(url, known) {
    const page = new Page(this, url, known);
    this.pages.push(page);
    return page;
  }

  /** A finger, a reload, a look at another table. */
  async step() {
    const page = oneOf(this.chance, this.pages) ?? await this.open(oneOf(this.chance, TABLES));
    const what = this.chance();
    if (what < 0.45) await page.tap();
    else if (what < 0.7) page.outbox.flush();
    else if (what < 0.85) page.askForNews();
    else if (what < 0.92) await this.open(oneOf(this.chance, TABLES));
    else if (!page.outbox.isForgetful(await page.outbox.waiting())) this.close(page); // it said that it is to be left open
  }

  /** What a browser does to its pages. */
  async suffer() {
    const { disk, chance } = this;
    this.hasSuffered = true;
    const what = chance();
    if (what < 0.2) disk.close(chance() < 0.5);
    else if (what < 0.35) await this.#wipe();
    else if (what < 0.5) disk.isFull = !disk.isFull;
    else if (what < 0.6) disk.isRefused = !disk.isRefused;
    else if (what < 0.7) disk.isSilent = !disk.isSilent;
    else if (what < 0.8) disk.change(disk.version && disk.version + 1);
    else if (what < 0.9) this.hasCache = false;
    else timers.pass(5_000);
  }

  /** Site data are cleared while a page is open that has seen all of them, and that has its database back. */
  async #wipe() {
    const { disk } = this;
    const page = this.pages.at(-1);
    const seen = await page?.outbox.entries();
    const isSeen = seen?.length === disk.written("entries").length && !page.outbox.isForgetful(seen);
    if (!isSeen || disk.isFull || disk.isRefused || disk.isSilent) return;
    for (const url of TABLES) await keptAt(page.store, HERE, url);
    disk.wipe();
    this.taps.clear();
    this.hasCache = false;
    await page.outbox.entries();
  }

  /** The browser works as it should. */
  async recover() {
    Object.assign(this.disk, { isFull: false, isRefused: false, isSilent: false });
    for (const { store } of this.pages) await store.recover();
  }

  close(page) {
    page.isClosed = true;
    this.pages.splice(this.pages.indexOf(page), 1);
  }

  /** Everything that waits is sent from its own page, until nothing does. */
  async settle() {
    for (const { outbox } of [...this.pages]) {
      for (let round = 0; round < STEPS && (!round || outbox.isForgetful(await outbox.waiting())); round += 1) await outbox.flush();
    }
    for (const url of TABLES) await (await this.open(url)).askForNews();
    for (let round = 0; round < STEPS && (await this.waiting()).length; round += 1) {
      for (const url of TABLES) await (await this.open(url)).outbox.flush();
    }
  }

  async waiting() { return (this.pages.at(-1) ?? await this.open(TABLES[0])).outbox.waiting(); }
}

async function played(seed) {
  timers.forget();
  Math.random = dice(seed);
  const chance = dice(seed);
  const server = new Server(chance);
  const phones = ["a", "b"].map((name) => new Phone(name, server, chance));
  const isPutBack = seed % 4 === 3;
  const suffers = seed % 6 === 5;
  for (const phone of phones) if (!suffers) phone.store = new Store(null);
  let copy = server.copied();
  for (let step = 0; step < STEPS; step += 1) {
    await timers.until(oneOf(chance, phones).step());
    if (suffers) timers.pass(1_000);
    if (suffers && chance() < 0.2) await timers.until(oneOf(chance, phones).suffer());
    if (isPutBack && chance() < 0.05) copy = server.copied();
    if (isPutBack && chance() < 0.03) server.putBack(copy);
    if (isPutBack) copy = new Map([...copy].map(([url, matches]) => [url, matches.map((match) => match.copy())]));
    if (chance() < 0.1) server.bring(1);
    if (chance() < 0.003) server.startRound(oneOf(chance, TABLES));
  }
  server.isQuiet = true;
  for (const phone of phones) await timers.until(phone.recover());
  if (server.isPutBack) for (const phone of phones) await timers.until(phone.settle());
  server.drawAgain();
  for (const phone of phones) await timers.until(phone.settle());
  server.bring();
  return { server, phones };
}

/** Every tap stands once, as it was tapped, in the order of its phone; or was told why not; or was taken back. */
async function checkTaps(server, phone, seen) {
  const entries = await phone.pages.at(-1).outbox.entries();
  const keys = keysOf(entries);
  const gone = keysOf(phone.tapped).filter((key) => !keys.includes(key));
  assert.deepEqual(keys, keysOf(phone.tapped).filter((key) => keys.includes(key)), `${phone.name} has other taps, or in another order`);
  assert.deepEqual(gone.filter((key) => !phone.told.has(key)), [], `${phone.name} has not kept what was tapped`);
  assert.ok(phone.hasSuffered || !gone.length, `${phone.name} has forgotten ${gone}`);
  const last = new Map();
  for (const { values, table, path, state, reason } of entries) {
    count(seen, state);
    if (state === "refused") assert.ok(reason, `${values.entry_key} is refused, and nobody knows why`);
    else if (state === "superseded") assert.ok(!values.confirmed, `${values.entry_key} was dropped`);
    else assert.equal(state, "accepted", `${values.entry_key} still waits`);
    if (state !== "accepted" || path === `${table}/dealer`) continue;
    const match = server.matches.get(table).find((each) => each.known.match.pk === Number(values.match));
    assert.ok(match, `${values.entry_key} is of a match that is gone`);
    const { known, log } = match;
    if (path === `${table}/agree`) assert.ok(known.agreements.some(saysTheSame(values)), "an agreement is lost");
    if (path !== table) continue;
    const at = log.marks.findIndex(({ key }) => key === values.entry_key);
    assert.ok(at >= 0, `${values.entry_key} is lost`);
    assert.ok(server.isPutBack || phone.hasSuffered || at > (last.get(known) ?? -1), `${values.entry_key} overtook another`);
    assert.deepEqual(log.marks[at].record, markOf(known, values, "").record);
    last.set(known, at);
  }
}

const keysOf = (entries) => entries.map(({ values }) => values.entry_key);

const count = (seen, what) => { seen[what] = (seen[what] ?? 0) + 1; };

const saysTheSame = ({ game, side, seen }) => (agreement) =>
  agreement.game === Number(game) && agreement.side === side && agreement.agreed_to === seen;

/** A mark stands once, and whoever tapped it is known; one that stands no more was seen by whoever replaced it, or the
 * table chose what was said beside it. */
function checkMarks(marks, tapped, seen, isPutBack) {
  assert.equal(new Set(marks.map(({ key }) => key)).size, marks.length, "a mark stands twice");
  for (const [at, { key, number, status, record }] of marks.entries()) {
    assert.ok(tapped.has(key), "a mark that nobody tapped");
    count(seen, status === "superseded" ? "replaced" : status);
    if (status !== "superseded" || record.kind === "undone" || isPutBack) continue;
    const here = marks.filter((mark) => mark.number === number);
    const later = marks.slice(at + 1).filter((mark) => here.includes(mark));
    const isSeen = later.some((mark) => tapped.get(mark.key).saw.some(saysAlso(record)));
    const isChosen = later.some((mark) => here.slice(0, here.indexOf(mark)).some(saysAlso(mark.record)));
    assert.ok(isSeen || isChosen, `${key} is gone, and nobody had seen it`);
  }
}

const saysAlso = (record) => (mark) => isSame(mark.record, record);

/** What the server has of this phone is shown without its news; with them, the match is what the server has. */
async function checkScreens(server, phone) {
  for (const url of TABLES) {
    const page = phone.openAsKept(url, (await keptAt(phone.pages.at(-1).store, HERE, url)).known ?? server.matchAt(url).said);
    const here = (await page.table()).log.marks.map(({ key }) => key);
    const accepted = (await page.outbox.entries(url)).filter(({ state, path, values }) =>
      state === "accepted" && path === url && Number(values.match) === page.known.match.pk);
    assert.deepEqual(keysOf(accepted).filter((key) => !here.includes(key)), [], "what was recorded is not shown");
    await page.askForNews();
    const { known, log, state } = await page.table();
    const { known: theirs, log: there, state: told } = server.matchAt(url);
    const shown = ({ match, first_dealer, marks }) => ({ match, first_dealer, marks });
    assert.deepEqual(shown(known), shown(theirs));
    assert.deepEqual([...log.rivals.keys()], [...there.rivals.keys()]);
    assert.deepEqual(screenOf(state), screenOf(told));
  }
}

const screenOf = ({ game, games, games_won, points, dealer, is_over, winner, lines }) => (
  { game, games, games_won, points, dealer, is_over, winner, lines });

test("after any order of taps, lost answers and reloads each tap stands once or is told of", async () => {
  const seen = {};
  for (let seed = FROM; seed < FROM + RUNS; seed += 1) {
    try {
      const { server, phones } = await played(seed);
      const tapped = new Map(phones.flatMap((phone) => phone.tapped).map((tap) => [tap.values.entry_key, tap]));
      for (const match of [...server.matches.values()].flat()) checkMarks(match.known.marks, tapped, seen, server.isPutBack);
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
