import assert from "node:assert/strict";
import test from "node:test";

import { Store } from "./store.js";
import {
  adoptOtherInstallations, deleteOldTables, findDigest, loadSavedTable, mergeSnapshot, needsRestore, restoreLogs, saveSnapshot,
} from "./table/saved_logs.js";

const INSTALLATION = "our-id";
const TABLE = "/t/123456";

/** Creates a snapshot of a match with these marks. */
function createSnapshot(keys, { pk = 7, round = 1, at = `2026-11-2${round}`, names = ["Anne", "Paul"], revision = keys.length, since = "18:00" } = {}) {
  return {
    url: TABLE,
    match: { pk, round_number: round, revision, identity: { round, table: 4, opened_at: at, names } },
    marks: keys.map((key) => ({ key })),
    agreements: [],
    digest: `${keys.length}.${keys}`,
    since,
  };
}

/** Creates a phone that has saved these snapshots; `restore` restores its logs to a server with that answer. */
async function createPhone(...snapshots) {
  const store = new Store(null);
  await store.put("kept", snapshots.reduce(mergeSnapshot, await loadSavedTable(store, INSTALLATION, TABLE)));
  const shown = [];
  const loadSaved = () => loadSavedTable(store, INSTALLATION, TABLE);
  return {
    store, shown, loadSaved,
    restore: async (answer) => {
      const requests = [];
      const ask = async (path, { body }) => {
        requests.push(path, JSON.parse(body.get("logs")));
        return answer && new Response(JSON.stringify(answer), { headers: { "Content-Type": "application/json" } });
      };
      const isAnswered = await restoreLogs({ store, installation: INSTALLATION, request: ask, getToken: () => "" }, TABLE, (known) => shown.push(known));
      return { requests, isAnswered };
    },
  };
}

const listKeys = (log) => log.marks.map(({ key }) => key);
const createEntry = (key, state, match = "7", path = TABLE) => (
  { installation: INSTALLATION, table: TABLE, path, state, values: { match, entry_key: key } });

test("a snapshot with fewer marks needs a restore, and no mark is lost", async () => {
  const saved = await (await createPhone(createSnapshot(["a", "b", "c"]))).loadSaved();
  const less = createSnapshot(["a"]);
  assert.ok(needsRestore(saved, less));
  assert.deepEqual(listKeys(mergeSnapshot(saved, less).known), ["a", "b", "c"]);
  assert.deepEqual(listKeys(mergeSnapshot(saved, less).logs[0]), ["a", "b", "c"]);
});

test("a snapshot with other marks and as many changes needs a restore", async () => {
  const saved = await (await createPhone(createSnapshot(["a", "b", "c"]))).loadSaved();
  const another = createSnapshot(["a", "x", "y", "z"]);
  assert.ok(needsRestore(saved, another));
  assert.deepEqual(listKeys(mergeSnapshot(saved, another).known), ["a", "b", "c"]);
});

test("newer snapshots of the match or the next round need no restore", async () => {
  const saved = await (await createPhone(createSnapshot(["a"]))).loadSaved();
  assert.ok(!needsRestore(saved, createSnapshot(["a"])));
  assert.ok(!needsRestore(saved, createSnapshot(["a", "b"])));
  assert.ok(!needsRestore(saved, createSnapshot([], { pk: 8, round: 2, names: ["Anne", "Rita"] })));
});

test("every match of the night is saved", async () => {
  const next = createSnapshot(["d"], { pk: 8, round: 2 });
  const { known, logs } = await (await createPhone(createSnapshot(["a"]), next)).loadSaved();
  assert.deepEqual(known, next);
  assert.deepEqual(logs.map(listKeys), [["a"], ["d"]]);
});

test("all logs are restored, and the answer of the server is saved", async () => {
  const { loadSaved, shown, restore } = await createPhone(createSnapshot(["a", "b"], { revision: 9 }), createSnapshot(["d"], { pk: 8, round: 2 }));
  const again = [createSnapshot(["a", "b"], { revision: 3 }), createSnapshot(["d"], { pk: 8, round: 2, revision: 1 })];
  const { requests: [path, logs], isAnswered } = await restore({
    known: again[1], logs: again.map((known) => ({ known, not_taken: {} })),
  });
  assert.ok(isAnswered);
  assert.equal(path, `${TABLE}/log`);
  assert.deepEqual(logs.map(listKeys), [["a", "b"], ["d"]]);
  assert.deepEqual(shown, [again[1]]);
  assert.deepEqual(await loadSaved(), { name: `${INSTALLATION} ${TABLE}`, known: again[1], logs: again, since: "18:00" });
});

test("earlier matches are restored once after each start, until the server has answered", async () => {
  const [first, next] = [createSnapshot(["a"]), createSnapshot(["d"], { pk: 8, round: 2 })];
  const { store, loadSaved, restore } = await createPhone(first, next);
  assert.ok(!needsRestore(await loadSaved(), next));
  const later = createSnapshot(["d"], { pk: 8, round: 2, since: "20:00" });
  for (const isAnswered of [false, true]) {
    await saveSnapshot(store, INSTALLATION, TABLE, later);
    assert.ok(needsRestore(await loadSaved(), later));
    await restore(isAnswered && { known: later, logs: [{ known: first, not_taken: {} }, { known: later, not_taken: {} }] });
  }
  assert.ok(!needsRestore(await loadSaved(), later));
});

test("without an answer nothing changes", async () => {
  const { loadSaved, shown, restore } = await createPhone(createSnapshot(["a", "b"]));
  const before = await loadSaved();
  assert.equal((await restore(null)).isAnswered, false);
  assert.deepEqual(await loadSaved(), before);
  assert.deepEqual(shown, []);
});

test("a round lost by the server stays shown and saved until it is drawn again", async () => {
  const round = (more) => createSnapshot(["d", "e"], { pk: 8, round: 2, ...more });
  const { store, loadSaved, shown, restore } = await createPhone(createSnapshot(["a"]), round());
  const waiting = await store.put("entries", createEntry("f", "kept", "8"));
  await restore({ known: createSnapshot(["a"]), logs: [{ known: createSnapshot(["a"]), not_taken: {} }, { known: null, not_taken: {} }] });
  assert.deepEqual(listKeys(shown[0]), ["d", "e"]);
  assert.deepEqual((await loadSaved()).logs.map(({ lost }) => lost), [undefined, "no_match"]);

  const drawn = createSnapshot([], { pk: 11, round: 2, at: "2026-12-31" });
  assert.ok(needsRestore(await loadSaved(), drawn));
  const taken = createSnapshot(["d", "e"], { pk: 11, round: 2, at: "2026-12-31" });
  await restore({ known: taken, logs: [{ known: createSnapshot(["a"]), not_taken: {} }, { known: taken, not_taken: {} }] });
  assert.deepEqual((await loadSaved()).logs.map(({ lost }) => lost), [undefined, undefined]);
  assert.deepEqual((await store.list("entries")).map(({ values, order }) => [order, values.match]), [[waiting.order, "11"]]);
});

test("refused marks stay saved, and the phone shows the server's match", async () => {
  const { loadSaved, shown, restore } = await createPhone(createSnapshot(["a", "b"]));
  await restore({ known: createSnapshot(["a"]), logs: [{ known: createSnapshot(["a"]), not_taken: { b: "match_closed" } }] });
  assert.deepEqual(listKeys(shown[0]), ["a"]);
  const after = await loadSaved();
  assert.deepEqual(after.logs.map((log) => [listKeys(log), log.lost]), [[["a", "b"], "match_closed"]]);
  assert.ok(needsRestore(after, createSnapshot(["a"])), "a change on the server starts another restore");
  assert.equal(findDigest(after, createEntry("c", "kept")), "1.a", "the table can go on");
});

test("an accepted entry that the server has lost is sent again", async () => {
  const { store, restore } = await createPhone(createSnapshot(["a", "b"]));
  for (const [key, state] of [["b", "accepted"], ["c", "accepted"], ["d", "refused"]]) await store.put("entries", createEntry(key, state));
  await restore({ known: createSnapshot(["a", "b"]), logs: [{ known: createSnapshot(["a", "b"]), not_taken: {} }] });
  const states = (await store.list("entries")).map(({ values, state }) => [values.entry_key, state]);
  assert.deepEqual(states, [["b", "accepted"], ["c", "kept"], ["d", "refused"]]);
});

test("only agreements that the server has stay accepted", async () => {
  const known = { ...createSnapshot(["a"]), agreements: [{ game: 2, side: "A", agreed_to: "34 12" }] };
  const { store, restore } = await createPhone(known);
  const given = [
    ["2", "A", "34 12"],
    ["1", "A", "34 12"], ["2", "B", "34 12"], ["2", "A", "34 20"],
    ["1", "B", "34 12"], ["1", "A", "34 20"], ["2", "B", "34 20"],
  ];
  for (const [game, side, seen] of given) {
    const agreed = createEntry(`${game} ${side} ${seen}`, "accepted", "7", `${TABLE}/agree`);
    await store.put("entries", { ...agreed, values: { ...agreed.values, game, side, seen } });
  }
  await restore({ known, logs: [{ known, not_taken: {} }] });
  const states = (await store.list("entries")).map(({ state }) => state);
  assert.deepEqual(states, ["accepted", ...given.slice(1).map(() => "kept")]);
});

test("a table saved under another installation is adopted, with its waiting entries", async () => {
  const { store, loadSaved } = await createPhone(createSnapshot(["a", "b"]), createSnapshot(["d"], { pk: 8, round: 2 }));
  await store.put("entries", createEntry("c", "kept"));
  const other = createSnapshot(["a"], { names: ["Rita", "Yvon"], at: "2026-12-01" });
  other.match.identity.table = 5;
  await adoptOtherInstallations(store, "another-id", TABLE, other);
  assert.equal((await loadSavedTable(store, "another-id", TABLE)).known, null, "another table is not adopted");
  await adoptOtherInstallations(store, "another-id", TABLE, createSnapshot([], { pk: 1, round: 0 }));
  const taken = await loadSavedTable(store, "another-id", TABLE);
  assert.deepEqual(taken.logs.map(listKeys), [["a", "b"], ["d"]]);
  const [waiting] = await store.list("entries");
  assert.equal(waiting.installation, "another-id");
  assert.equal(findDigest(taken, waiting), "of another", "the log is restored first");
  assert.equal((await loadSaved()).known, null);
});

test("a snapshot saved by another page during a restore stays", async () => {
  const { store, loadSaved } = await createPhone(createSnapshot(["a", "b"]));
  const ask = async () => {
    await saveSnapshot(store, INSTALLATION, TABLE, createSnapshot(["a", "b", "c"]));
    const known = createSnapshot(["a", "b"]);
    return new Response(JSON.stringify({ known, logs: [{ known, not_taken: {} }] }), { headers: { "Content-Type": "application/json" } });
  };
  await restoreLogs({ store, installation: INSTALLATION, request: ask, getToken: () => "" }, TABLE);
  assert.deepEqual(listKeys((await loadSaved()).known), ["a", "b", "c"]);
});

test("tables of past events are deleted, except those with waiting entries or lost marks", async () => {
  const store = new Store(null);
  const table = (day) => `/t/${String(day).padStart(6, "0")}`;
  for (let day = 0; day < 45; day += 1) {
    await saveSnapshot(store, INSTALLATION, table(day), createSnapshot(["a"], { at: `2026-${String(day).padStart(3, "0")}` }));
  }
  await store.put("entries", { ...createEntry("b", "kept"), table: table(0) });
  await store.put("entries", { ...createEntry("c", "accepted"), table: table(2) });
  await store.put("entries", { ...createEntry("d", "superseded"), table: table(3) });
  const lacking = await loadSavedTable(store, INSTALLATION, table(1));
  await store.put("kept", { ...lacking, logs: lacking.logs.map((log) => ({ ...log, lost: "match_closed" })) });
  await deleteOldTables(store);
  const names = (await store.list("kept")).map(({ name }) => name);
  assert.deepEqual(names.slice(0, 3), [0, 1, 5].map((day) => `${INSTALLATION} ${table(day)}`));
  assert.equal(names.length, 42);
});
