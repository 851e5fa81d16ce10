/**
 * Phones at their tables, on the page's own modules: each has two tables and marks their hands in the order of its
 * list, one a page, as somebody taps them. It reloads its page now and then, also while a hand is on its way, goes
 * to its other table, and asks for news. Its storage outlasts its pages.
 *
 * Standard input: `{"url", "seed", "pause", "phones": [[{"path", "hands": ["A-6-7", …]}, …], …]}`, milliseconds.
 * Standard output, a line of JSON each: `{"event", "table", "place", "key"}`, where `event` is
 *
 * - `marked`: the hand at that place of the table's list is kept on the phone under this key
 * - `recorded`, `asked`, `refused` (with its `reason`): what the phone was told of it
 * - `dropped`: it waits no more, and nobody was told why
 *
 * The program ends when every hand was recorded, refused or dropped.
 */

import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { isOurs } from "../static/js/answers.js";
import { Outbox } from "../static/js/outbox.js";

const PATIENCE = 8_000;
const { url, seed, pause, phones } = JSON.parse(readFileSync(0, "utf8"));

/** What a browser keeps of a site, page after page. */
class Storage {
  #items = new Map();

  get length() {
    return this.#items.size;
  }

  key(place) {
    return [...this.#items.keys()][place] ?? null;
  }

  getItem(name) {
    return this.#items.get(name) ?? null;
  }

  setItem(name, value) {
    this.#items.set(name, value);
  }

  removeItem(name) {
    this.#items.delete(name);
  }
}

/** Cookies of one site, each sent below the path that it was set for. */
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

/** @param {number} state @returns {() => number} dice between 0 and 1 that fall alike for each seed (mulberry32) */
function dice(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** @param {string} html @param {string} form its id @returns {Object<string, string>} its hidden fields */
function fieldsOf(html, form) {
  const [, content = ""] = new RegExp(`<form[^>]* id="${form}"[^>]*>([^]*?)</form>`).exec(html) ?? [];
  const inputs = content.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  const fields = Object.fromEntries([...inputs].map(([, name, value]) => [name, value]));
  delete fields.csrfmiddlewaretoken; // the one of the moment goes with it
  return fields;
}

class Phone {
  /** @param {{path: string, hands: string[]}[]} tables @param {() => number} chance */
  constructor(tables, chance) {
    this.tables = tables.map((table) => ({ ...table, next: 0 }));
    this.chance = chance;
    this.storage = new Storage();
    this.cookies = new Cookies();
    this.installation = "";
    /** What waits, as far as whoever holds the phone knows: key → table and place. */
    this.waiting = new Map();
  }

  async play() {
    while (this.waiting.size || this.tables.some((table) => table.next < table.hands.length)) {
      const open = this.tables.filter((table) => table.next < table.hands.length || this.#waitsAt(table));
      await this.#visit(open[Math.floor(this.chance() * open.length)] ?? this.tables[0]);
    }
  }

  #waitsAt(table) {
    return [...this.waiting.values()].some((hand) => hand.table === table.path);
  }

  /** A page of that table, from its first load until it is closed or reloaded. */
  async #visit(table) {
    const closed = new AbortController();
    setMaxListeners(0, closed.signal); // each request of the page is one
    const ask = (path, more = {}) => this.#ask(path, more, closed.signal);
    let screen = await this.#open(table, ask);
    const outbox = new Outbox({
      storage: this.storage,
      installation: this.installation,
      fetch: ask,
      token: () => this.cookies.token,
      page: table.path,
      onAnswer: (answer) => {
        const isHere = answer.hand.path === table.path;
        const isShown = isHere && answer.text?.includes('id="screen"');
        if (isHere) screen = isShown ? answer.text : null; // what was there is of before: news are waited for
        if (isShown) outbox.drop(answer.hand);
        this.#hear(answer, table, isShown);
      },
    });
    await this.#send(outbox);
    while (!outbox.all(table.path).length && this.chance() > 0.05) {
      screen = await this.#goOn(table, screen ?? (await this.#news(table, ask)), ask);
      const values = screen && this.#tap(table, screen);
      if (!values) break;
      outbox.add({ path: table.path, table: table.path, values });
      screen = null;
      if (this.chance() < 0.1) setTimeout(() => closed.abort(), this.chance() * 200); // reloaded on its way
      await this.#send(outbox);
    }
    closed.abort();
    if (outbox.all().length) await sleep(pause);
  }

  /** What the next tap sends: the answer to a question, or the next hand. Null: the match is over. */
  #tap(table, screen) {
    const asked = fieldsOf(screen, "asked");
    const values = asked.entry_key ? { ...asked, confirmed: "1" } : fieldsOf(screen, "mark");
    if (!values.entry_key) {
      table.next = table.hands.length;
      return null;
    }
    if (table.next === table.hands.length) return null;
    if (!asked.entry_key) values.said = table.hands[table.next];
    this.waiting.set(values.entry_key, { table: table.path, place: table.next });
    this.#say("marked", values.entry_key);
    table.next += 1;
    return values;
  }

  /**
   * What an answer means to whoever holds the phone. A question on the screen is about a hand that is not marked
   * yet: it is answered there, or, where the page is gone by then, the hand is marked anew.
   */
  #hear({ hand: { values: { entry_key: key } }, receipt: { outcome, reason } }, table, isShown) {
    if (outcome === "asked" && !isShown) return;
    this.#say(outcome, key, { reason });
    if (outcome === "asked") table.next = this.waiting.get(key).place;
    this.waiting.delete(key);
  }

  /** Sends what waits, and looks what left the phone without a word. */
  async #send(outbox) {
    await outbox.flush();
    const kept = new Set([...outbox.all(), ...outbox.refused()].map((hand) => hand.values.entry_key));
    for (const key of this.waiting.keys()) {
      if (kept.has(key)) continue;
      this.#say("dropped", key);
      this.waiting.delete(key);
    }
  }

  #say(event, key, more = {}) {
    console.log(JSON.stringify({ event, key, ...this.waiting.get(key), ...more }));
  }

  /** The screen of the table, loaded as often as it takes. */
  async #open(table, ask) {
    for (;;) {
      const page = await this.#page(table.path, ask);
      if (page?.includes("</html>")) {
        this.installation = /data-installation="(\w+)"/.exec(page)[1];
        return page;
      }
      await sleep(pause);
    }
  }

  /** What the page brings when it asks for news; null: nothing of ours. */
  async #news(table, ask) {
    const part = await this.#page(table.path, ask, { headers: { "HX-Request": "true" } });
    return part?.includes('id="screen"') ? part : null;
  }

  /** Where a game is over, the next one is begun. */
  async #goOn(table, screen, ask) {
    const next = /href="[^"]*(\?game=\d+)"/.exec(screen ?? "")?.[1];
    return next ? this.#page(table.path + next, ask) : screen;
  }

  async #page(path, ask, more) {
    try {
      const response = await ask(path, more);
      const text = await response.text();
      const isPage = response.ok && (this.installation === ""
        ? text.includes("data-installation=")
        : isOurs(response.headers, this.installation));
      return isPage ? text : null;
    } catch {
      return null;
    }
  }

  /** As a browser asks, which lets go of it when the page is closed. */
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

await Promise.all(phones.map((tables, number) => new Phone(tables, dice(seed + number)).play()));
