/**
 * Phones at their tables, on the page's own modules. Each marks the hands of its match one after the other, online or
 * offline, sometimes undoes or corrects one, and reloads its page, also while a hand is being sent. Without an answer,
 * the cached page is shown. The phone's disk outlasts its pages; sometimes its browser closes the database, wipes it,
 * lets another page delete it, is full, fails to open it, does not answer for some seconds, or evicts the cached page.
 *
 * Standard input: `{"url", "seed", "beat", "pause", "trouble", "phones": [{"path", "said": ["A-6-7", …]}, …]}`, where
 * `said` lists the possible hands, `beat` is the milliseconds between taps, `pause` those before waiting hands are sent
 * again, and `trouble` the share of taps at which a browser loses the database or the cache.
 * Standard output, a line of JSON each: `{"event", "table", …}`, where `event` is
 *
 * - `marked`: the phone has stored, under this `key`, that the hand of that `number` is `said`, or null if undone
 * - `recorded`, `asked`, `refused` (with its `reason`): the server's answer to a mark
 * - `shown`: the match that the phone shows in the end
 *
 * The program ends when every match is over, and no hand waits.
 */

import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { isFromInstallation } from "../static/js/receipts.js";
import { isAdopted } from "../static/js/stored_taps.js";
import { DRAWS_HEADER, Outbox, isWaiting } from "../static/js/outbox.js";
import { Store } from "../static/js/store.js";
import { adoptOtherInstallations, findDigest, loadSavedTable, needsRestore, restoreLogs, saveSnapshot } from "../static/js/table/saved_logs.js";
import { pickNewer } from "../static/js/table/snapshot.js";
import { needsConfirmation, placeMark } from "../static/js/table/log.js";
import { buildTable, getMatchTerms, readMark, sawOnlyOwnMark } from "../static/js/table/match.js";
import { isSame } from "../static/js/table/records.js";
import { buildTableScreen } from "../static/js/table/screen.js";
import { Disk } from "../tests/scripts/indexeddb.js";

const PATIENCE = 60_000; // milliseconds to load a page; an outbox has its own limit
const RELOADED_AFTER = 40; // taps at most; with a time limit, a slow server could never answer before its page is closed
const EVENING = 40; // hands that may wait on a phone, as in an evening: all phones share one processor here
const OUTAGE = 4_000; // milliseconds, on average
const LONGER = 100; // times the pause, at most, after no answer
const { url, seed, beat, pause, trouble, phones } = JSON.parse(readFileSync(0, "utf8"));

/** Cookies of one site, each sent to the paths below the one it was set for. */
class Cookies {
  #kept = new Map();

  hear(response) {
    for (const line of response.headers.getSetCookie()) {
      const [pair, ...attributes] = line.split("; ");
      const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? "/";
      const [name, ...value] = pair.split("=");
      this.#kept.set(`${path} ${name}`, { path, name, value: value.join("=") });
    }
  }

  for(path) {
    const sent = [...this.#kept.values()].filter((each) => path.startsWith(each.path));
    return sent.map(({ name, value }) => `${name}=${value}`).join("; ");
  }

  get token() {
    return [...this.#kept.values()].find(({ name }) => name === "csrftoken")?.value ?? "";
  }
}

/** @param {number} state @returns {() => number} reproducible random numbers between 0 and 1 (mulberry32) */
function dice(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** @param {string} html @returns {?import("../static/js/table/snapshot.js").TableSnapshot} the server's data of the table */
function readKnown(html) {
  const [, known] = /<template id="known">([^<]*)<\/template>/.exec(html) ?? [];
  return known ? JSON.parse(known) : null;
}

class Phone {
  disk = new Disk();
  store = new Store(this.disk);
  taps = new Map(); // taps that wait, as in localStorage
  isCached = false;
  cookies = new Cookies();
  installation = "";
  known = null;
  isDone = false;

  /** @param {{path: string, said: string[]}} plan @param {() => number} chance */
  constructor(plan, chance) {
    Object.assign(this, { ...plan, chance });
  }

  async play() {
    while (!(await this.#visit()));
    // The server may have been restored from a copy since this phone last asked it.
    await this.#open((path, more = {}) => this.#ask(path, more, new AbortController().signal), true);
    this.#show(buildTable(this.known, await this.#entries()));
  }

  #entries() {
    return new Outbox({ store: this.store, installation: this.installation }).listEntries(this.path);
  }

  /** Use a page of the table until it is reloaded, even with requests in progress, or until all phones are done. */
  async #visit() {
    const closed = new AbortController();
    this.store = new Store(this.disk);
    setMaxListeners(0, closed.signal); // each request of the page adds a listener
    const ask = (path, more = {}) => this.#ask(path, more, closed.signal);
    await this.#open(ask);
    const outbox = new Outbox({
      store: this.store,
      installation: this.installation,
      fetch: ask,
      getToken: () => this.cookies.token,
      page: this.path,
      getDigest: async (entry) => findDigest(await this.#kept(), entry),
      onServerBehind: () => this.#bringBack(ask),
      onAnswer: async ({ entry, receipt: { outcome, reason }, text }) => {
        await this.#learn(readKnown(text), ask);
        this.#say(outcome, { key: entry.values.entry_key, reason });
      },
    });
    await this.#adoptTaps(outbox);
    const sending = this.#send(outbox, ask, closed.signal);
    let left = 1 + Math.floor(this.chance() * RELOADED_AFTER);
    while (left && !areDone()) {
      if ((await outbox.listWaiting()).length < EVENING && await this.#tap(outbox)) left -= 1;
      if (trouble && this.chance() < trouble) await this.#suffer();
      await sleep(beat * 2 * this.chance());
      this.isDone = !(await outbox.listWaiting()).length && (await this.#table(outbox)).state.is_over;
    }
    while (outbox.hasUnsavedEntries(await outbox.listEntries())) await sleep(beat); // the page asks to be left open
    closed.abort();
    await sending;
    return areDone();
  }

  async #adoptTaps(outbox) {
    const entries = await outbox.listEntries();
    for (const { state, values } of entries) if (!isWaiting({ state })) this.taps.delete(values.entry_key);
    for (const tap of this.taps.values()) if (!entries.some((each) => isAdopted(each, tap))) await outbox.add(tap);
  }

  /** Take the database or the cached page away, as browsers do. */
  async #suffer() {
    const { disk } = this;
    const outage = this.#oneOf(["isFull", "isRefused", "isSilent", "", "", "", ""]);
    if (outage) {
      disk[outage] = true;
      sleep(2 * OUTAGE * this.chance()).then(() => { disk[outage] = false; });
    } else if (this.chance() < 0.5) disk.close(this.chance() < 0.5);
    else if (this.chance() < 0.5) this.isCached = false;
    else if (!disk.isFull && !disk.isRefused && !disk.isSilent) {
      await this.#entries(); // so that everything other pages wrote is read
      if (this.chance() < 0.5) disk.wipe();
      else disk.upgrade(0);
    }
  }

  async #table(outbox) {
    return buildTable(this.known, await outbox.listEntries(this.path));
  }

  /** Tap once; a hand that is read aloud is confirmed at once. Return false if there is nothing to tap. */
  async #tap(outbox) {
    const table = await this.#table(outbox);
    const said = this.#someTap(buildTableScreen(table));
    if (!said) return false;
    const { known, log } = table;
    const values = { match: String(known.match.pk), entry_key: randomUUID(), ...said };
    if (sawOnlyOwnMark(this.known, await outbox.listEntries(this.path), values)) values.saw_only = "1";
    const mark = readMark(known, values, "");
    placeMark(log, mark, getMatchTerms(known));
    if (needsConfirmation(getMatchTerms(known), log, { ...mark, confirmed: false })) values.confirmed = "1";
    const order = this.store.generateOrder();
    const tap = { path: this.path, table: this.path, number: String(known.match.card.number), values, order };
    this.taps.set(mark.key, tap);
    await outbox.add(tap);
    this.#say("marked", { key: mark.key, number: mark.number, said: said.said ?? null });
    return true;
  }

  /** Return the next hand, sometimes an undo or a correction of an earlier hand; null once the match is over. */
  #someTap({ number, lines, last, state }) {
    const what = this.chance();
    if (state.is_over && what > 0.01) return null;
    if (last && what < 0.08) return { number: String(last.number), supersedes: last.newest.key, kind: "undone" };
    if (!last || what > 0.16) return { number: String(number), said: this.#oneOf(this.said) };
    const { number: earlier, newest } = this.#oneOf(lines);
    const others = this.said.filter((said) => !isSame(this.#recordOf(said), newest.record));
    return { number: String(earlier), supersedes: newest.key, said: this.#oneOf(others) };
  }

  #oneOf(choices) {
    return choices[Math.floor(this.chance() * choices.length)];
  }

  #recordOf(said) {
    return readMark(this.known, { match: "1", number: "1", entry_key: randomUUID(), said }, "").record;
  }

  /**
   * Send waiting hands, and sometimes ask for news, until the page is closed. Without an answer the pause grows, as on
   * pages: otherwise phones that give up on a slow server would keep it slow.
   */
  async #send(outbox, ask, closed) {
    let rest = pause;
    while (!closed.aborted) {
      rest = await outbox.flush() ? pause : Math.min(LONGER * pause, rest * 1.5);
      if (this.chance() < 0.1) await this.#learn(readKnown(await this.#read(ask, this.installation) ?? ""), ask);
      await sleep(rest * (0.8 + this.chance() * 0.4));
    }
  }

  #show({ state: { game, games_won, points, winner, lines } }) {
    this.#say("shown", { shown: { running: game.points, games_won, points, winner, next: lines.length + 1 } });
  }

  #say(event, more) {
    console.log(JSON.stringify({ event, table: this.path, ...more }));
  }

  /**
   * Load the page, again until it succeeds the first time; later, use the cached page if there is no answer. The page
   * may be of another installation than before: a new laptop at the same address.
   */
  async #open(ask, isAnew = false) {
    for (;;) {
      const page = await this.#read(ask);
      const said = page?.includes("</html>") ? readKnown(page) : null;
      if (said) {
        this.installation = /data-installation="(\w+)"/.exec(page)[1];
        await adoptOtherInstallations(this.store, this.installation, this.path, said);
        this.known = (await this.#kept()).known;
      }
      await this.#learn(said, ask);
      if (said) this.isCached = true;
      if (said || (this.known && this.isCached && !isAnew)) return;
      await sleep(pause);
    }
  }

  #kept() {
    return loadSavedTable(this.store, this.installation, this.path);
  }

  /** Store the server's data; if it has less than before, send it what it lacks. */
  async #learn(said, ask) {
    if (!said) return;
    this.known = pickNewer(this.known, said);
    const before = await saveSnapshot(this.store, this.installation, this.path, said);
    if (needsRestore(before, said)) await this.#bringBack(ask);
  }

  async #bringBack(ask) {
    const ours = async (path, more) => {
      try {
        const response = await ask(path, more);
        return isFromInstallation(response.headers, this.installation) ? response : null;
      } catch {
        return null;
      }
    };
    const here = { store: this.store, installation: this.installation, request: ours, getToken: () => this.cookies.token };
    await restoreLogs(here, this.path, (known) => { this.known = known; });
  }

  /** @returns {Promise<?string>} the page of the table, or its news for a page of this `installation`; null without a complete answer */
  async #read(ask, installation) {
    try {
      const response = await ask(this.path, installation && { headers: { "HX-Request": "true", [DRAWS_HEADER]: "1" } });
      const text = await response.text();
      const isPage = installation ? isFromInstallation(response.headers, installation) : response.headers.has("Charlemagne");
      return response.ok && isPage ? text : null;
    } catch {
      return null;
    }
  }

  /** Send a request as a browser does: it is aborted when the page is closed. */
  async #ask(path, more, closed) {
    const gone = new AbortController();
    for (const signal of [closed, more.signal ?? AbortSignal.timeout(PATIENCE)]) {
      if (signal.aborted) gone.abort();
      signal.addEventListener("abort", () => gone.abort());
    }
    const headers = { ...more.headers, Cookie: this.cookies.for(path) };
    const response = await fetch(url + path, { ...more, headers, signal: gone.signal });
    if (response.headers.has("Charlemagne")) this.cookies.hear(response);
    return response;
  }
}

const all = phones.map((plan, number) => new Phone(plan, dice(seed + number)));
const areDone = () => all.every(({ isDone }) => isDone);
await Promise.all(all.map((phone) => phone.play()));
