import assert from "node:assert/strict";
import test from "node:test";

import { Store } from "./store.js";
import { bringBack, digestFor, keepHeard, keptAt, mayLack, takeOver, tidyKept, withHeard } from "./table/kept_logs.js";

const HERE = "our-id";
const TABLE = "/t/123456";

/** What a server says of a match with these marks. */
function said(keys, { pk = 7, round = 1, at = `2026-11-2${round}`, names = ["Anne", "Paul"], revision = keys.length, since = "18:00" } = {}) {
  return {
    url: TABLE,
    match: { pk, round_number: round, revision, identity: { round, table: 4, opened_at: at, names } },
    marks: keys.map((key) => ({ key })),
    agreements: [],
    digest: `${keys.length}.${keys}`,
    since,
  };
}

/** A phone that has heard these, one after the other; `answers` are what the server says to what comes back. */
async function phone(...heard) {
  const store = new Store(null);
  await store.put("kept", heard.reduce(withHeard, await keptAt(store, HERE, TABLE)));
  const shown = [];
  const kept = () => keptAt(store, HERE, TABLE);
  return {
    store, shown, kept,
    brings: async (answer) => {
      const came = [];
      const ask = async (path, { body }) => {
        came.push(path, JSON.parse(body.get("logs")));
        return answer && new Response(JSON.stringify(answer), { headers: { "Content-Type": "application/json" } });
      };
      const isAnswered = await bringBack({ store, installation: HERE, ask, token: () => "" }, TABLE, (known) => shown.push(known));
      return { came, isAnswered };
    },
  };
}

const keysOf = (log) => log.marks.map(({ key }) => key);
const entry = (key, state, match = "7", path = TABLE) => (
  { installation: HERE, table: TABLE, path, state, values: { match, entry_key: key } });

test("a server that says less than it did may lack something, and what was known stays", async () => {
  const kept = await (await phone(said(["a", "b", "c"]))).kept();
  const less = said(["a"]);
  assert.ok(mayLack(kept, less));
  assert.deepEqual(keysOf(withHeard(kept, less).known), ["a", "b", "c"]);
  assert.deepEqual(keysOf(withHeard(kept, less).logs[0]), ["a", "b", "c"]);
});

test("also where it has gone on since, and counts as many changes", async () => {
  const kept = await (await phone(said(["a", "b", "c"]))).kept();
  const another = said(["a", "x", "y", "z"]);
  assert.ok(mayLack(kept, another));
  assert.deepEqual(keysOf(withHeard(kept, another).known), ["a", "b", "c"]);
});

test("news of the same match and the next round lack nothing", async () => {
  const kept = await (await phone(said(["a"]))).kept();
  assert.ok(!mayLack(kept, said(["a"])));
  assert.ok(!mayLack(kept, said(["a", "b"])));
  assert.ok(!mayLack(kept, said([], { pk: 8, round: 2, names: ["Anne", "Rita"] })));
});

test("every match of the evening is kept", async () => {
  const next = said(["d"], { pk: 8, round: 2 });
  const { known, logs } = await (await phone(said(["a"]), next)).kept();
  assert.deepEqual(known, next);
  assert.deepEqual(logs.map(keysOf), [["a"], ["d"]]);
});

test("all of them are brought back, and then what the server says holds", async () => {
  const { kept, shown, brings } = await phone(said(["a", "b"], { revision: 9 }), said(["d"], { pk: 8, round: 2 }));
  const again = [said(["a", "b"], { revision: 3 }), said(["d"], { pk: 8, round: 2, revision: 1 })];
  const { came: [path, logs], isAnswered } = await brings({
    known: again[1], logs: again.map((known) => ({ known, not_taken: {} })),
  });
  assert.ok(isAnswered);
  assert.equal(path, `${TABLE}/log`);
  assert.deepEqual(logs.map(keysOf), [["a", "b"], ["d"]]);
  assert.deepEqual(shown, [again[1]]);
  assert.deepEqual(await kept(), { name: `${HERE} ${TABLE}`, known: again[1], logs: again, since: "18:00" });
});

test("of its earlier matches a server is asked once after each start, until it has answered", async () => {
  const [first, next] = [said(["a"]), said(["d"], { pk: 8, round: 2 })];
  const { store, kept, brings } = await phone(first, next);
  assert.ok(!mayLack(await kept(), next));
  const later = said(["d"], { pk: 8, round: 2, since: "20:00" });
  for (const isAnswered of [false, true]) {
    await keepHeard(store, HERE, TABLE, later);
    assert.ok(mayLack(await kept(), later));
    await brings(isAnswered && { known: later, logs: [{ known: first, not_taken: {} }, { known: later, not_taken: {} }] });
  }
  assert.ok(!mayLack(await kept(), later));
});

test("without an answer everything stays as it is", async () => {
  const { kept, shown, brings } = await phone(said(["a", "b"]));
  const before = await kept();
  assert.equal((await brings(null)).isAnswered, false);
  assert.deepEqual(await kept(), before);
  assert.deepEqual(shown, []);
});

test("a round that the server has no more is shown on, and its log kept until the round is drawn again", async () => {
  const round = (more) => said(["d", "e"], { pk: 8, round: 2, ...more });
  const { store, kept, shown, brings } = await phone(said(["a"]), round());
  const waiting = await store.put("entries", entry("f", "kept", "8"));
  await brings({ known: said(["a"]), logs: [{ known: said(["a"]), not_taken: {} }, { known: null, not_taken: {} }] });
  assert.deepEqual(keysOf(shown[0]), ["d", "e"]);
  assert.deepEqual((await kept()).logs.map(({ lost }) => lost), [undefined, "no_match"]);

  const drawn = said([], { pk: 11, round: 2, at: "2026-12-31" });
  assert.ok(mayLack(await kept(), drawn));
  const taken = said(["d", "e"], { pk: 11, round: 2, at: "2026-12-31" });
  await brings({ known: taken, logs: [{ known: said(["a"]), not_taken: {} }, { known: taken, not_taken: {} }] });
  assert.deepEqual((await kept()).logs.map(({ lost }) => lost), [undefined, undefined]);
  assert.deepEqual((await store.all("entries")).map(({ values, order }) => [order, values.match]), [[waiting.order, "11"]]);
});

test("what the server does not take stays on the phone, which shows what the server has", async () => {
  const { kept, shown, brings } = await phone(said(["a", "b"]));
  await brings({ known: said(["a"]), logs: [{ known: said(["a"]), not_taken: { b: "match_closed" } }] });
  assert.deepEqual(keysOf(shown[0]), ["a"]);
  const after = await kept();
  assert.deepEqual(after.logs.map((log) => [keysOf(log), log.lost]), [[["a", "b"], "match_closed"]]);
  assert.ok(mayLack(after, said(["a"])), "once something changes there, it is brought again");
  assert.equal(digestFor(after, entry("c", "kept")), "1.a", "and the table marks on");
});

test("what was accepted once and came back with no log goes again by its key", async () => {
  const { store, brings } = await phone(said(["a", "b"]));
  for (const [key, state] of [["b", "accepted"], ["c", "accepted"], ["d", "refused"]]) await store.put("entries", entry(key, state));
  await brings({ known: said(["a", "b"]), logs: [{ known: said(["a", "b"]), not_taken: {} }] });
  const states = (await store.all("entries")).map(({ values, state }) => [values.entry_key, state]);
  assert.deepEqual(states, [["b", "accepted"], ["c", "kept"], ["d", "refused"]]);
});

test("of the agreements only those that came back just as they were given stay given", async () => {
  const known = { ...said(["a"]), agreements: [{ game: 2, side: "A", agreed_to: "34 12" }] };
  const { store, brings } = await phone(known);
  const given = [
    ["2", "A", "34 12"],
    ["1", "A", "34 12"], ["2", "B", "34 12"], ["2", "A", "34 20"],
    ["1", "B", "34 12"], ["1", "A", "34 20"], ["2", "B", "34 20"],
  ];
  for (const [game, side, seen] of given) {
    const agreed = entry(`${game} ${side} ${seen}`, "accepted", "7", `${TABLE}/agree`);
    await store.put("entries", { ...agreed, values: { ...agreed.values, game, side, seen } });
  }
  await brings({ known, logs: [{ known, not_taken: {} }] });
  const states = (await store.all("entries")).map(({ state }) => state);
  assert.deepEqual(states, ["accepted", ...given.slice(1).map(() => "kept")]);
});

test("what was kept of a table under another installation is taken over, with what waits", async () => {
  const { store, kept } = await phone(said(["a", "b"]), said(["d"], { pk: 8, round: 2 }));
  await store.put("entries", entry("c", "kept"));
  const other = said(["a"], { names: ["Rita", "Yvon"], at: "2026-12-01" });
  other.match.identity.table = 5;
  await takeOver(store, "another-id", TABLE, other);
  assert.equal((await keptAt(store, "another-id", TABLE)).known, null, "of another table it is not");
  await takeOver(store, "another-id", TABLE, said([], { pk: 1, round: 0 }));
  const taken = await keptAt(store, "another-id", TABLE);
  assert.deepEqual(taken.logs.map(keysOf), [["a", "b"], ["d"]]);
  const [waiting] = await store.all("entries");
  assert.equal(waiting.installation, "another-id");
  assert.equal(digestFor(taken, waiting), "of another", "the new installation is brought the log first");
  assert.equal((await kept()).known, null);
});

test("what another page heard while a log was on its way back stays", async () => {
  const { store, kept } = await phone(said(["a", "b"]));
  const ask = async () => {
    await keepHeard(store, HERE, TABLE, said(["a", "b", "c"]));
    const known = said(["a", "b"]);
    return new Response(JSON.stringify({ known, logs: [{ known, not_taken: {} }] }), { headers: { "Content-Type": "application/json" } });
  };
  await bringBack({ store, installation: HERE, ask, token: () => "" }, TABLE);
  assert.deepEqual(keysOf((await kept()).known), ["a", "b", "c"]);
});

test("tables of past evenings are forgotten, but for those where something waits or is lacking", async () => {
  const store = new Store(null);
  const table = (day) => `/t/${String(day).padStart(6, "0")}`;
  for (let day = 0; day < 45; day += 1) {
    await keepHeard(store, HERE, table(day), said(["a"], { at: `2026-${String(day).padStart(3, "0")}` }));
  }
  await store.put("entries", { ...entry("b", "kept"), table: table(0) });
  await store.put("entries", { ...entry("c", "accepted"), table: table(2) });
  await store.put("entries", { ...entry("d", "superseded"), table: table(3) });
  const lacking = await keptAt(store, HERE, table(1));
  await store.put("kept", { ...lacking, logs: lacking.logs.map((log) => ({ ...log, lost: "match_closed" })) });
  await tidyKept(store);
  const names = (await store.all("kept")).map(({ name }) => name);
  assert.deepEqual(names.slice(0, 3), [0, 1, 5].map((day) => `${HERE} ${table(day)}`));
  assert.equal(names.length, 42);
});
