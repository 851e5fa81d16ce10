import assert from "node:assert/strict";
import test from "node:test";

import { Outbox } from "./outbox.js";

/**
 * Phones and a server as one machine, which takes steps by lot: somebody taps, a page sends, is closed, opened
 * again, or another one beside it; and the network loses what is sent, or what is answered, or answers itself.
 * After any order of steps, once the network is quiet, each tap stands at the server once and as it was tapped,
 * or whoever holds the phone was told why not.
 */

const HERE = "our-id";
const STEPS = 60;
const RUNS = 400;
const TABLES = ["/t/1", "/t/2"];

/** @param {number} state @returns {() => number} dice between 0 and 1 that fall alike for each seed (mulberry32) */
function dice(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

class Storage {
  #items = new Map();
  get length() { return this.#items.size; }
  key(place) { return [...this.#items.keys()][place] ?? null; }
  getItem(name) { return this.#items.get(name) ?? null; }
  setItem(name, value) { this.#items.set(name, value); }
  removeItem(name) { this.#items.delete(name); }
}

/** What it was sent, by key; it answers alike to the same key, and asks about large hands first. */
class Server {
  log = new Map();
  isQuiet = false;

  /** @param {() => number} chance */
  constructor(chance) { this.chance = chance; }

  async answer(path, body) {
    for (let waits = Math.floor(this.chance() * 6); waits; waits -= 1) await null;
    const fate = this.isQuiet ? 1 : this.chance();
    if (fate < 0.15) throw new TypeError("lost on its way");
    if (fate < 0.25) return new Response("<h1>Free Wi-Fi</h1>");
    const headers = { Charlemagne: HERE };
    if (body) headers["Charlemagne-Entry"] = `${body.get("entry_key")} ${this.#record(path, body)}`;
    if (fate < 0.4) throw new TypeError("its answer is lost");
    if (fate < 0.5) return new Response("", { status: 503, headers: { Charlemagne: HERE } });
    return new Response("", { headers });
  }

  #record(path, body) {
    const key = body.get("entry_key");
    const said = body.get("said");
    if (!this.log.has(key) && said.startsWith("late")) return "refused";
    if (!this.log.has(key) && said.startsWith("large") && !body.get("confirmed")) return "asked";
    const before = this.log.get(key) ?? { path, said, order: this.log.size };
    assert.deepEqual([before.path, before.said], [path, said], "a key came with two hands");
    this.log.set(key, before);
    return "recorded";
  }
}

/** A phone, the pages that are open on it, and what whoever holds it has tapped and was told. */
class Phone {
  storage = new Storage();
  pages = [];
  tapped = [];
  told = new Map();

  constructor(name, server, chance) { Object.assign(this, { name, server, chance }); }

  open(path) {
    const page = { path, isClosed: false };
    page.outbox = new Outbox({
      storage: this.storage,
      installation: HERE,
      page: path,
      token: () => "token",
      fetch: async (to, { body } = {}) => {
        if (page.isClosed) throw new TypeError("no page");
        const answer = await this.server.answer(to, body);
        if (page.isClosed) throw new TypeError("no page");
        return answer;
      },
      onAnswer: ({ hand, receipt: { outcome } }) => {
        if (outcome === "asked" && hand.path === path) this.confirm(page, hand);
      },
    });
    this.pages.push(page);
    return page;
  }

  /** Yes; or no, for one in three: then it was never marked. */
  confirm(page, hand) {
    const { entry_key: key } = hand.values;
    if (Number(key.split("-")[1]) % 3 === 0) {
      page.outbox.drop(hand);
      this.told.set(key, "taken back");
    } else {
      page.outbox.add({ ...hand, values: { ...hand.values, confirmed: "1" } });
    }
  }

  tap(page) {
    const values = {
      entry_key: `${this.name}-${this.tapped.length}`,
      said: `${["small", "small", "large", "late"][Math.floor(this.chance() * 4)]} ${this.chance()}`,
    };
    page.outbox.add({ path: page.path, table: page.path, values });
    this.tapped.push({ path: page.path, ...values });
  }

  /** A finger, a reload, a look at another table. */
  step() {
    const page = this.pages[Math.floor(this.chance() * this.pages.length)]
      ?? this.open(TABLES[Math.floor(this.chance() * TABLES.length)]);
    const what = this.chance();
    if (what < 0.4) this.tap(page);
    else if (what < 0.75) page.outbox.flush();
    else if (what < 0.85) this.open(TABLES[Math.floor(this.chance() * TABLES.length)]);
    else this.close(page);
  }

  close(page) {
    page.isClosed = true;
    this.pages.splice(this.pages.indexOf(page), 1);
  }

  /** Everything that waits is sent from its own page, until nothing does. */
  async settle() {
    const last = this.open(TABLES[0]).outbox;
    for (let round = 0; round <= STEPS && last.all().length; round += 1) {
      for (const path of TABLES) await this.open(path).outbox.flush();
    }
    for (const { values, reason } of last.refused()) this.told.set(values.entry_key, reason);
    return last.all();
  }
}

test("after any order of taps, lost answers and reloads each hand stands once, or somebody was told", async () => {
  const seen = { recorded: 0, told: 0 };
  for (let seed = 0; seed < RUNS; seed += 1) {
    const chance = dice(seed);
    const server = new Server(chance);
    const phones = ["a", "b"].map((name) => new Phone(name, server, chance));
    for (let step = 0; step < STEPS; step += 1) {
      phones[Math.floor(chance() * phones.length)].step();
      if (chance() < 0.7) await null;
    }
    server.isQuiet = true;
    for (const phone of phones) {
      const waiting = await phone.settle();
      assert.deepEqual(waiting, [], `seed ${seed}: something still waits`);
      const last = {};
      for (const { path, entry_key: key, said } of phone.tapped) {
        const recorded = server.log.get(key);
        const isTold = phone.told.has(key);
        assert.ok(recorded || isTold, `seed ${seed}: ${key} is lost`);
        if (recorded) assert.deepEqual([recorded.path, recorded.said], [path, said], `seed ${seed}: ${key}`);
        if (recorded) assert.ok(recorded.order > (last[path] ?? -1), `seed ${seed}: ${key} overtook another`);
        if (recorded) last[path] = recorded.order;
        seen[recorded ? "recorded" : "told"] += 1;
      }
    }
    const keys = phones.flatMap(({ tapped }) => tapped.map(({ entry_key: key }) => key));
    assert.ok([...server.log.keys()].every((key) => keys.includes(key)), `seed ${seed}: a hand that nobody tapped`);
  }
  assert.ok(seen.recorded > 1000 && seen.told > 1000, JSON.stringify(seen));
});
