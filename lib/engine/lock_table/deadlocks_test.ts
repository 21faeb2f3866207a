import { assert, assertEquals } from "@std/assert";
import { countedReads } from "../../base/testing/counted_reads.ts";
import { parseLockItem } from "./lock_item.ts";
import { LockTable } from "./lock_table.ts";
import { seededRandom } from "./testing/seeded_random.ts";

const OLD = "2026-01-01T00:00:00Z";

/** Creates workflows that hold one mutex each. A node of each then waits for the mutex of the next. */
function cycleOf(count: number, notified: string[] = []): LockTable {
  const table = new LockTable({ onAnswer: (workflow, nodeId) => nodeId && notified.push(workflow) });
  const mutex = (index: number) => parseLockItem("mutex", `n/Mutex/m${index % count}`);
  const all = [...Array(count).keys()];
  for (const index of all) table.restore(`n/w${index}`, OLD, { nodeId: "", locks: [mutex(index)], priority: 0 });
  for (const index of all) table.request(`n/w${index}`, OLD, { nodeId: "x", locks: [mutex(index + 1)], priority: 0 });
  table.grantAndAnswer();
  notified.length = 0;
  for (const index of all) stalls(table, index);
  return table;
}

function stalls(table: LockTable, index: number): void {
  table.setStalledHolders(
    `n/w${index}`,
    new Map([["", { name: `workflow w${index}`, waiters: ["x"], waiterName: `w${index}.x` }]]),
  );
  table.grantAndAnswer();
}

const part = (index: number, count: number) =>
  `workflow w${index} holds n/Mutex/m${index}, and w${index}.x in it waits for n/Mutex/m${(index + 1) % count}`;

Deno.test("deadlocks: each workflow in a cycle names the cycle, starting with the workflow that it waits for", () => {
  const notified: string[] = [];
  const table = cycleOf(2, notified);
  assertEquals(table.deadlocksOf("n/w0"), new Map([["x", `${part(1, 2)}; ${part(0, 2)}`]]));
  assertEquals(table.deadlocksOf("n/w1"), new Map([["x", `${part(0, 2)}; ${part(1, 2)}`]]));
  assertEquals(notified.toSorted(), ["n/w0", "n/w1"]);
});

Deno.test("deadlocks: the message of a long cycle names four holders and the number of the others", () => {
  const words = cycleOf(6).deadlocksOf("n/w3")?.get("x");
  assertEquals(words, `${[4, 5, 0, 1].map((index) => part(index, 6)).join("; ")} and 2 more`);
});

Deno.test("deadlocks: there is no message while anything runs in one of the holders", () => {
  const table = cycleOf(3);
  table.setStalledHolders("n/w1", new Map());
  table.grantAndAnswer();
  for (const index of [0, 1, 2]) assertEquals(table.deadlocksOf(`n/w${index}`), undefined);
});

Deno.test("deadlocks: a cycle ends when one of its workflows does", () => {
  const notified: string[] = [];
  const table = cycleOf(3, notified);
  notified.length = 0;
  table.releaseAll("n/w1");
  table.grantAndAnswer();
  for (const index of [0, 2]) assertEquals(table.deadlocksOf(`n/w${index}`), undefined);
  assertEquals(table.answersOf("n/w0")?.get("x")?.kind, "held");
  assertEquals(notified.includes("n/w2"), true);
});

Deno.test("deadlocks: the next claim of a free lock is named if it waits for another lock in the cycle", () => {
  const table = new LockTable();
  const [held, free] = ["held", "free"].map((name) => parseLockItem("mutex", `n/Mutex/${name}`));
  table.restore("n/w0", "2026-01-01T00:00:09Z", { nodeId: "", locks: [held!], priority: 0 });
  table.request("n/both", OLD, { nodeId: "", locks: [free!, held!], priority: 0 });
  table.request("n/w0", "2026-01-01T00:00:09Z", { nodeId: "x", locks: [free!], priority: 0 });
  table.grantAndAnswer();
  stalls(table, 0);
  const words = "n/both is next for n/Mutex/free, and waits for n/Mutex/held; " +
    "workflow w0 holds n/Mutex/held, and w0.x in it waits for n/Mutex/free";
  assertEquals(table.deadlocksOf("n/w0")?.get("x"), words);
});

/**
 * Creates a workflow that holds its own mutex and waits for the first of a cycle. `meanwhile` is called before its
 * report.
 */
function waitBehindCycle(table: LockTable, index: number, meanwhile = () => {}): void {
  table.restore(`n/w${index}`, OLD, { nodeId: "", locks: [parseLockItem("mutex", `n/Mutex/m${index}`)], priority: 0 });
  table.request(`n/w${index}`, OLD, { nodeId: "x", locks: [parseLockItem("mutex", "n/Mutex/m0")], priority: 0 });
  table.grantAndAnswer();
  meanwhile();
  stalls(table, index);
}

Deno.test("deadlocks: a repeated report notifies no workflow, and a new one behind a cycle notifies only itself", () => {
  const notified: string[] = [];
  const table = cycleOf(3, notified);
  notified.length = 0;
  for (const index of [0, 1, 2]) stalls(table, index);
  assertEquals(notified, []);
  waitBehindCycle(table, 3);
  assertEquals(new Set(notified), new Set(["n/w3"]));
  assertEquals(table.deadlocksOf("n/w3"), new Map([["x", [0, 1, 2].map((index) => part(index, 3)).join("; ")]]));
});

Deno.test("deadlocks: there is no message while an earlier lock in the cycle has a running holder", () => {
  const table = new LockTable();
  const [free, m0, m1] = ["free", "m0", "m1"].map((name) => parseLockItem("mutex", `n/Mutex/${name}`));
  for (const [index, lock] of [m0, m1].entries()) {
    table.restore(`n/w${index}`, OLD, { nodeId: "", locks: [lock!], priority: 0 });
  }
  table.request("n/w0", OLD, { nodeId: "x", locks: [free!, m1!], priority: 0 });
  table.request("n/w1", OLD, { nodeId: "x", locks: [m0!], priority: 0 });
  table.grantAndAnswer();
  for (const index of [0, 1]) stalls(table, index);
  const words = `${part(0, 2)}; ${part(1, 2)}`;
  assertEquals(table.deadlocksOf("n/w1"), new Map([["x", words]]));
  waitBehindCycle(table, 2, () => table.restore("n/goes-on", OLD, { nodeId: "", locks: [free!], priority: 0 }));
  for (const index of [0, 1, 2]) assertEquals(table.deadlocksOf(`n/w${index}`), undefined);
  table.releaseAll("n/goes-on");
  table.grantAndAnswer();
  for (const index of [1, 2]) assertEquals(table.deadlocksOf(`n/w${index}`), new Map([["x", words]]));
});

Deno.test("deadlocks: no deadlock is reported while one of the locks can be granted to nobody", () => {
  const table = cycleOf(2);
  waitBehindCycle(
    table,
    2,
    () => table.poison(parseLockItem("mutex", "n/Mutex/m1"), "n/broken", "a holder that is unreadable"),
  );
  for (const index of [0, 1, 2]) assertEquals(table.deadlocksOf(`n/w${index}`), undefined);
  table.removePoison("n/broken");
  table.grantAndAnswer();
  assertEquals(table.deadlocksOf("n/w2"), new Map([["x", `${part(0, 2)}; ${part(1, 2)}`]]));
});

Deno.test("deadlocks: a claim that waits behind a cycle is reported as soon as its other lock is free", () => {
  const table = cycleOf(2);
  const [first, second] = ["m0", "a"].map((name) => parseLockItem("mutex", `n/Mutex/${name}`));
  table.restore("n/goes-on", OLD, { nodeId: "", locks: [second!], priority: 0 });
  table.restore("n/w2", OLD, { nodeId: "", locks: [parseLockItem("mutex", "n/Mutex/m2")], priority: 0 });
  table.request("n/w2", OLD, { nodeId: "x", locks: [second!, first!], priority: 0 });
  table.grantAndAnswer();
  stalls(table, 2);
  assertEquals(table.deadlocksOf("n/w2"), undefined);
  table.releaseAll("n/goes-on");
  table.grantAndAnswer();
  assertEquals(table.deadlocksOf("n/w2"), new Map([["x", `${part(0, 2)}; ${part(1, 2)}`]]));
});

Deno.test("deadlocks: workflows that share a semaphore and request it again are all reported", () => {
  const table = new LockTable();
  const semaphore = parseLockItem("semaphore", "n/ConfigMap/c/k");
  for (const index of [0, 1]) table.restore(`n/w${index}`, OLD, { nodeId: "", locks: [semaphore], priority: 0 });
  table.setLimit(semaphore, 2);
  for (const index of [0, 1]) table.request(`n/w${index}`, OLD, { nodeId: "x", locks: [semaphore], priority: 0 });
  table.grantAndAnswer();
  for (const index of [0, 1]) stalls(table, index);
  const words = "workflow w0 holds n/ConfigMap/c/k, and w0.x in it waits for n/ConfigMap/c/k";
  for (const index of [0, 1]) assertEquals(table.deadlocksOf(`n/w${index}`), new Map([["x", words]]));
});

Deno.test("deadlocks: a deadlock within one workflow is not reported as one between workflows", () => {
  const table = new LockTable();
  const mutex = parseLockItem("mutex", "n/Mutex/m0");
  table.restore("n/w0", OLD, { nodeId: "", locks: [mutex], priority: 0 });
  table.request("n/w0", OLD, { nodeId: "x", locks: [mutex], priority: 0 });
  table.grantAndAnswer();
  stalls(table, 0);
  assertEquals(table.deadlocksOf("n/w0"), undefined);
  waitBehindCycle(table, 1);
  const words = "workflow w0 holds n/Mutex/m0, and w0.x in it waits for n/Mutex/m0";
  assertEquals(table.deadlocksOf("n/w1"), new Map([["x", words]]));
});

Deno.test("deadlocks: a cycle is found without visiting every claim that waits behind it", () => {
  const notified: string[] = [];
  const table = new LockTable({ onAnswer: (workflow, nodeId) => nodeId && notified.push(workflow) });
  const reads = { count: 0 };
  const wait = (index: number, lock: string) => {
    table.restore(`n/w${index}`, OLD, {
      nodeId: "",
      locks: [parseLockItem("mutex", `n/Mutex/m${index}`)],
      priority: 0,
    });
    const wanted = countedReads(parseLockItem("mutex", `n/Mutex/${lock}`), reads);
    table.request(`n/w${index}`, OLD, { nodeId: "x", locks: [wanted], priority: 0 });
    table.grantAndAnswer();
    stalls(table, index);
  };
  table.restore("n/goes-on", OLD, { nodeId: "", locks: [parseLockItem("mutex", "n/Mutex/busy")], priority: 0 });
  for (let index = 2; index < 10_000; index++) wait(index, "busy");
  table.restore("n/w1", OLD, { nodeId: "", locks: [parseLockItem("mutex", "n/Mutex/m1")], priority: 0 });
  wait(0, "m1");
  wait(1, "m0");
  for (const index of [0, 1]) assertEquals(table.deadlocksOf(`n/w${index}`)?.size, 1);
  assertEquals(table.deadlocksOf("n/w2"), undefined);
  const before = reads.count;
  for (let index = 10_000; index < 13_000; index++) wait(index, "m0");
  const looked = reads.count - before;
  assertEquals(table.deadlocksOf("n/w12999"), new Map([["x", `${part(0, 2)}; ${part(1, 2)}`]]));
  assert(looked < 3_000 * 200, `${looked} reads of what they wait for`);
});

/** Makes a claim wait for a lock of a database, which reports these holders. */
function refuse(table: LockTable, holders: readonly string[], isFull = true): void {
  const { key, type } = DATABASE;
  table.retryDatabaseRequests();
  for (const claim of table.takeDatabaseRequests()) {
    const message = `Waiting for ${key} lock (mtx/n/d). Lock status: ${holders.length}/1`;
    table.databaseRefused(claim, { refused: key, message, holders: new Map([[`${type} ${key}`, holders]]), isFull });
  }
  table.grantAndAnswer();
}

const DATABASE = parseLockItem("mutex", "n/Database/d");

Deno.test("deadlocks: a cycle through a lock of a database is reported if all its holders belong to this controller", () => {
  const table = new LockTable();
  const mutex = parseLockItem("mutex", "n/Mutex/m1");
  table.restore("n/w0", OLD, { nodeId: "", locks: [DATABASE], priority: 0 });
  table.restore("n/w1", OLD, { nodeId: "", locks: [mutex], priority: 0 });
  table.request("n/w0", OLD, { nodeId: "x", locks: [mutex], priority: 0 });
  table.request("n/w1", OLD, { nodeId: "x", locks: [DATABASE], priority: 0 });
  table.grantAndAnswer();
  for (const index of [0, 1]) stalls(table, index);
  assertEquals(table.deadlocksOf("n/w0"), undefined);
  refuse(table, ["n/w0"]);
  const words = "workflow w0 holds n/Database/d, and w0.x in it waits for n/Mutex/m1; " +
    "workflow w1 holds n/Mutex/m1, and w1.x in it waits for n/Database/d";
  assertEquals(table.deadlocksOf("n/w1")?.get("x"), words);
  // A workflow of another controller also holds the lock, or waits before this one; or the holder is unknown.
  refuse(table, ["n/w0", "n/of-another"]);
  assertEquals(table.deadlocksOf("n/w1"), undefined);
  refuse(table, ["n/w0"]);
  assertEquals(table.deadlocksOf("n/w1")?.get("x"), words);
  refuse(table, [], false);
  assertEquals(table.deadlocksOf("n/w1"), undefined);
  refuse(table, ["n/w0"]);
  table.retryDatabaseRequests();
  for (const claim of table.takeDatabaseRequests()) table.databaseRefused(claim, { trouble: "no route to host" });
  table.grantAndAnswer();
  assertEquals(table.deadlocksOf("n/w1"), undefined);
});

Deno.test("deadlocks: a claim behind a cycle that is in no holder is reported on demand", () => {
  const table = cycleOf(2);
  const mutex = (name: string) => parseLockItem("mutex", `n/Mutex/${name}`);
  table.request("n/behind", OLD, { nodeId: "", locks: [mutex("m0")], priority: 0 });
  table.restore("n/goes-on", OLD, { nodeId: "", locks: [mutex("free")], priority: 0 });
  table.request("n/waits", OLD, { nodeId: "", locks: [mutex("free")], priority: 0 });
  table.grantAndAnswer();
  assertEquals(table.deadlocksOf("n/behind"), undefined);
  assertEquals(table.deadlocksBehind("n/behind"), new Map([["", `${part(0, 2)}; ${part(1, 2)}`]]));
  assertEquals(table.deadlocksBehind("n/waits"), new Map());
  assertEquals(table.deadlocksBehind("n/w0"), new Map());
});

Deno.test("deadlocks: the messages do not depend on the order of events", () => {
  const table = new LockTable();
  const random = seededRandom(7);
  const pick = (count: number) => Math.floor(random() * count);
  const mutexes = [...Array(6).keys()].map((index) => parseLockItem("mutex", `n/Mutex/m${index}`));
  const semaphore = parseLockItem("semaphore", "n/ConfigMap/c/k");
  const items = [...mutexes, semaphore];
  const all = [...Array(8).keys()];
  const said = () => all.map((index) => [...table.deadlocksOf(`n/w${index}`) ?? []]);
  let rings = 0;
  for (let round = 0; round < 2000; round++) {
    const chosen = pick(8);
    const workflow = `n/w${chosen}`;
    const answers = table.answersOf(workflow);
    if (!answers) table.request(workflow, OLD, { nodeId: "", locks: [items[pick(7)]!], priority: 0 });
    else if (pick(4) === 0) table.releaseAll(workflow);
    else if (answers.get("")?.kind === "held" && !answers.get("x")) {
      const locks = items.filter((item) => item.key !== answers.held.get("")![0]!.key && pick(4) === 0);
      if (locks.length > 0) table.request(workflow, OLD, { nodeId: "x", locks, priority: 0 });
    }
    table.setLimit(semaphore, 2);
    table.grantAndAnswer();
    for (const index of all) if (table.answersOf(`n/w${index}`)?.get("x")?.kind === "waiting") stalls(table, index);
    const before = said();
    rings += before.flat().length;
    for (const item of items) table.poison(item, "n/broken", "a holder that is unreadable");
    table.grantAndAnswer();
    assertEquals(said().flat(), []);
    table.removePoison("n/broken");
    table.grantAndAnswer();
    assertEquals(said(), before, `after ${round} rounds`);
  }
  assert(rings > 100, `only ${rings} rings were reported`);
});
