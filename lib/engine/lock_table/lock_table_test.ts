import { assert, assertEquals } from "@std/assert";
import type { LockRequest } from "./claim.ts";
import { type LockItem, parseLockItem } from "./lock_item.ts";
import { LockTable } from "./lock_table.ts";
import { seededRandom } from "./testing/seeded_random.ts";

const A = parseLockItem("mutex", "n/Mutex/a");
const B = parseLockItem("mutex", "n/Mutex/b");
const S = parseLockItem("semaphore", "n/ConfigMap/limits/s");

function askOf(locks: readonly LockItem[], nodeId = "", priority = 0): LockRequest {
  return { nodeId, locks, priority };
}

const OLD = "2026-01-01T00:00:00Z";
const NEW = "2026-01-01T00:00:01Z";

function holdersOf(table: LockTable, workflows: readonly string[]): string[] {
  return workflows.filter((key) => table.answersOf(key)?.get("")?.kind === "held");
}

function messageOf(table: LockTable, workflow: string, nodeId = ""): string | undefined {
  const answer = table.answersOf(workflow)?.get(nodeId);
  return answer && "message" in answer ? answer.message : undefined;
}

Deno.test("LockTable: the next holder has the highest priority, then the oldest workflow, then the first namespace and name (T-SY-4)", () => {
  const table = new LockTable();
  table.restore("n/holder", OLD, askOf([A]));
  const waiting: [string, string, number][] = [
    ["n/p1", OLD, 1],
    ["n/p5", NEW, 5],
    ["n/p3-late", NEW, 3],
    ["n/p3", OLD, 3],
    ["b/same", OLD, 0],
    ["a-b/same", OLD, 0],
    ["a/same", OLD, 0],
    ["a/other", OLD, 0],
  ];
  for (const [key, created, priority] of waiting) table.request(key, created, askOf([A], "", priority));
  table.grantAndAnswer();
  const order: string[] = [];
  for (let holder = "n/holder"; holder; holder = holdersOf(table, waiting.map(([key]) => key))[0] ?? "") {
    table.release(holder, "");
    table.grantAndAnswer();
    order.push(...holdersOf(table, waiting.map(([key]) => key)));
  }
  assertEquals(order, ["n/p5", "n/p3", "n/p3-late", "n/p1", "a/other", "a/same", "a-b/same", "b/same"]);
});

Deno.test("LockTable: two claims that request the same locks in opposite orders both get them (T-SY-3)", () => {
  const random = seededRandom(7);
  for (let turn = 0; turn < 200; turn++) {
    const table = new LockTable();
    table.restore("n/w3", OLD, askOf([B]));
    const events = shuffle(random, [
      () => table.request("n/w1", OLD, askOf([A, B])),
      () => table.request("n/w2", OLD, askOf([B, A])),
      () => table.release("n/w3", ""),
      () => table.grantAndAnswer(),
      () => table.grantAndAnswer(),
    ]);
    for (const act of events) act();
    const done: string[] = [];
    for (let round = 0; round < 3 && done.length < 2; round++) {
      table.grantAndAnswer();
      const holders = holdersOf(table, ["n/w1", "n/w2"]);
      assertEquals(holders.length, 1);
      done.push(...holders);
      table.release(holders[0]!, "");
    }
    assertEquals(done.toSorted(), ["n/w1", "n/w2"]);
  }
});

Deno.test("LockTable: a claim that waits for a second lock blocks the first, which claims behind it see as free", () => {
  const table = new LockTable();
  table.restore("n/holder", OLD, askOf([B]));
  table.request("n/first", OLD, askOf([A, B]));
  table.request("n/second", NEW, askOf([A]));
  table.grantAndAnswer();
  assertEquals(messageOf(table, "n/first"), "Waiting for n/Mutex/b lock. Lock status: 0/1");
  assertEquals(messageOf(table, "n/second"), "Waiting for n/Mutex/a lock. Lock status: 1/1");
  table.release("n/holder", "");
  table.grantAndAnswer();
  assertEquals(holdersOf(table, ["n/first", "n/second"]), ["n/first"]);
});

Deno.test("LockTable: nodes of one workflow may overtake each other, those of a namesake in another namespace may not (SY-23)", () => {
  const table = new LockTable();
  table.restore("n/holder", OLD, askOf([B]));
  table.request("n/w", OLD, askOf([A, B], "one"));
  table.request("n/w", OLD, askOf([A], "two"));
  table.request("o/w", OLD, askOf([A], "three"));
  table.grantAndAnswer();
  assertEquals(table.answersOf("n/w")?.get("two")?.kind, "held");
  table.release("n/w", "two");
  table.grantAndAnswer();
  assertEquals(table.answersOf("o/w")?.get("three")?.kind, "waiting");
});

Deno.test("LockTable: a node that others of its workflow wait for precedes them, but no other workflow", () => {
  const table = new LockTable();
  table.restore("n/holder", OLD, askOf([A]));
  table.request("n/old", OLD, askOf([A]));
  for (const nodeId of ["call", "other"]) table.request("n/w", NEW, askOf([A], nodeId));
  table.request("n/w", NEW, { ...askOf([A], "handler"), isFirstOfWorkflow: true });
  const order: string[] = [];
  for (let [key, nodeId] = ["n/holder", ""]; key; [key, nodeId] = order.at(-1)?.split(" ") as [string, string]) {
    table.release(key, nodeId);
    table.grantAndAnswer();
    const held = ["n/old", "n/w"].flatMap((of) =>
      [...table.answersOf(of)?.held.keys() ?? []].map((id) => `${of} ${id}`)
    );
    if (held.length === 0) break;
    order.push(...held);
  }
  assertEquals(order, ["n/old ", "n/w handler", "n/w call", "n/w other"]);
});

Deno.test("LockTable: a greater limit admits more holders at once; a smaller one admits none until enough have left (T-SY-6)", () => {
  const table = new LockTable();
  const keys = ["n/1", "n/2", "n/3", "n/4", "n/5"];
  for (const key of keys) table.request(key, OLD, askOf([S]));
  table.setLimit(S, 1);
  table.grantAndAnswer();
  assertEquals(holdersOf(table, keys), ["n/1"]);
  table.setLimit(S, 3);
  table.grantAndAnswer();
  assertEquals(holdersOf(table, keys), ["n/1", "n/2", "n/3"]);
  assertEquals(messageOf(table, "n/4"), "Waiting for n/ConfigMap/limits/s lock. Lock status: 0/3");
  table.setLimit(S, 1);
  table.grantAndAnswer();
  assertEquals(messageOf(table, "n/4"), "Waiting for n/ConfigMap/limits/s lock. Lock status: 0/1");
  for (const key of ["n/1", "n/2"]) {
    table.release(key, "");
    table.grantAndAnswer();
    assertEquals(holdersOf(table, ["n/4", "n/5"]), []);
  }
  table.release("n/3", "");
  table.grantAndAnswer();
  assertEquals(holdersOf(table, keys), ["n/4"]);
});

Deno.test("LockTable: a limit of 0 pauses the lock, and an unknown limit admits nobody (T-SY-7)", () => {
  const table = new LockTable();
  table.request("n/1", OLD, askOf([S]));
  table.grantAndAnswer();
  assertEquals(holdersOf(table, ["n/1"]), []);
  table.setLimit(S, 0);
  table.grantAndAnswer();
  assertEquals(messageOf(table, "n/1"), "Waiting for n/ConfigMap/limits/s lock. Lock status: 0/0");
  table.setLimit(S, 1);
  table.grantAndAnswer();
  assertEquals(holdersOf(table, ["n/1"]), ["n/1"]);
});

Deno.test("LockTable: recorded holds count beyond the limit, and nothing is granted until all claims are registered", () => {
  const table = new LockTable();
  table.isOpen = false;
  table.restore("n/1", OLD, askOf([S]));
  table.restore("n/2", OLD, askOf([S]));
  table.request("n/new", NEW, askOf([S]));
  table.setLimit(S, 1);
  table.grantAndAnswer();
  assertEquals(table.answersOf("n/new")?.get("")?.kind, "undecided");
  table.request("n/old", OLD, askOf([S]));
  table.isOpen = true;
  table.grantAndAnswer();
  table.release("n/1", "");
  table.grantAndAnswer();
  assertEquals(holdersOf(table, ["n/old", "n/new"]), []);
  table.release("n/2", "");
  table.grantAndAnswer();
  assertEquals(holdersOf(table, ["n/old", "n/new"]), ["n/old"]);
});

Deno.test("LockTable: an unrecorded grant can be revoked and passes to the next claim; a recorded one cannot", () => {
  const table = new LockTable();
  table.request("n/w", OLD, askOf([A]));
  table.grantAndAnswer();
  table.request("n/first", OLD, askOf([A], "", 9));
  table.grantAndAnswer();
  assert(table.hasUnrecordedGrant("n/w"));
  table.discardUnrecorded("n/w");
  table.grantAndAnswer();
  assertEquals(holdersOf(table, ["n/w", "n/first"]), ["n/first"]);
  table.recordHolds("n/first", [""]);
  table.discardUnrecorded("n/first");
  table.grantAndAnswer();
  assertEquals(holdersOf(table, ["n/w", "n/first"]), ["n/first"]);
});

Deno.test("LockTable: a poisoned lock is granted to nobody until the unreadable workflow is gone or fixed", () => {
  const table = new LockTable();
  table.poison(A, "n/bad", "nobody knows");
  table.request("n/w", OLD, askOf([A]));
  table.grantAndAnswer();
  const message = "lock n/Mutex/a is in a poisoned state: nobody knows; manual intervention required";
  assertEquals(messageOf(table, "n/w"), message);
  table.releaseAll("n/bad");
  table.grantAndAnswer();
  assertEquals(holdersOf(table, ["n/w"]), ["n/w"]);
});

Deno.test("LockTable: random operations never exceed a limit, starve no claim and leave nothing behind", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = seededRandom(seed);
    const table = new LockTable();
    const items = [A, B, S, parseLockItem("semaphore", "n/ConfigMap/limits/t")];
    const limits = new Map(items.map((item) => [item.key, item.type === "mutex" ? 1 : 1 + Math.floor(random() * 3)]));
    const open = new Set<string>();
    const giveOneBack = () => {
      const held = [...open].filter((claim) => {
        const [key = "", nodeId = ""] = claim.split(" ");
        return table.answersOf(key)?.get(nodeId)?.kind === "held";
      });
      const claim = held[Math.floor(random() * held.length)];
      if (claim === undefined) return;
      const [key = "", nodeId = ""] = claim.split(" ");
      table.release(key, nodeId);
      open.delete(claim);
    };

    const check = () => {
      for (const { item, held } of table.samples()) assert(held <= limits.get(item.key)!, `${item.key}: ${held}`);
    };
    for (let index = 0; index < 30; index++) {
      const locks = shuffle(random, items).slice(0, 1 + Math.floor(random() * 3));
      const nodeId = `node${index}`;
      const key = `n/w${Math.floor(random() * 6)}`;
      table.request(key, OLD, askOf(locks, nodeId, Math.floor(random() * 3)));
      for (const item of locks) table.setLimit(item, limits.get(item.key)!);
      open.add(`${key} ${nodeId}`);
      if (random() < 0.5) table.grantAndAnswer();
      if (random() < 0.3) giveOneBack();
      check();
    }
    for (let round = 0; round < 100 && open.size; round++) {
      table.grantAndAnswer();
      check();
      giveOneBack();
    }
    assertEquals([...open], []);
    assertEquals([...table.samples()], []);
  }
});

Deno.test("LockTable: workflowsWithOutdatedHolders() finds waiting workflows whose answer names other holders, a few at a time, in order", () => {
  const table = new LockTable();
  table.restore("n/holder", OLD, askOf([A]));
  for (const key of ["n/1", "n/2", "n/3"]) table.request(key, OLD, askOf([A]));
  table.grantAndAnswer();
  assertEquals([...table.workflowsWithOutdatedHolders(9)], []);
  table.release("n/holder", "");
  table.grantAndAnswer();
  assertEquals([...table.workflowsWithOutdatedHolders(1)], ["n/2"]);
  table.answerAgain("n/2");
  table.grantAndAnswer();
  assertEquals([...table.workflowsWithOutdatedHolders(9)], ["n/3"]);
  assertEquals([...table.holdersFor("n/2").values()], [["n/1"]]);
});

const D = parseLockItem("semaphore", "n/Database/d");

Deno.test("LockTable: a claim that waits for a database is answered again only when the database reports other holders", () => {
  const table = new LockTable();
  const refusal = (...names: string[]) => {
    const message = "Waiting for n/Database/d lock";
    return { refused: D.key, message, holders: new Map([["semaphore n/Database/d", names]]), isFull: true };
  };
  for (const key of ["n/first", "n/waits"]) table.request(key, key === "n/first" ? OLD : NEW, askOf([D]));
  table.grantAndAnswer();
  for (const claim of table.takeDatabaseRequests()) {
    if (claim.workflow === "n/first") table.databaseGranted(claim);
    else table.databaseRefused(claim, refusal("n/first"));
  }
  table.request("n/third", NEW, askOf([D]));
  table.grantAndAnswer();
  for (const claim of table.takeDatabaseRequests()) table.databaseGranted(claim);
  table.grantAndAnswer();
  assertEquals([...table.workflowsWithOutdatedHolders(9)], []);
  table.retryDatabaseRequests();
  for (const claim of table.takeDatabaseRequests()) table.databaseRefused(claim, refusal("n/first", "n/third"));
  assertEquals([...table.workflowsWithOutdatedHolders(9)], ["n/waits"]);
  table.answerAgain("n/waits");
  table.grantAndAnswer();
  assertEquals([...table.workflowsWithOutdatedHolders(9)], []);
});

Deno.test("LockTable: a workflow whose status was written with the current holders is not answered again", () => {
  const table = ownWaiters(1, 3);
  table.release("n/w", "h1");
  table.grantAndAnswer();
  const { now } = table;
  assertEquals([...table.workflowsWithOutdatedHolders(9)], ["n/w"]);
  table.recordStatusTime("n/w", now);
  assertEquals([...table.workflowsWithOutdatedHolders(9)], []);
  table.release("n/w", "w1");
  table.grantAndAnswer();
  table.recordStatusTime("n/w", now);
  assertEquals([...table.workflowsWithOutdatedHolders(9)], ["n/w"]);
});

function shuffle<T>(random: () => number, items: readonly T[]): T[] {
  const found = [...items];
  for (let index = found.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [found[index], found[other]] = [found[other]!, found[index]!];
  }
  return found;
}

/** A table in which nodes of one workflow hold a semaphore with this limit, and others of it wait. */
function ownWaiters(limit: number, waiting: number): LockTable {
  const table = new LockTable();
  for (let node = 1; node <= limit; node++) table.restore("n/w", OLD, askOf([S], `h${node}`));
  for (let node = 1; node <= waiting; node++) table.request("n/w", OLD, askOf([S], `w${node}`));
  table.setLimit(S, limit);
  table.grantAndAnswer();
  return table;
}

/** Returns the nodes of a workflow that hold locks. */
function holderNodesOf(table: LockTable, workflow = "n/w"): string[] {
  return [...table.answersOf(workflow)?.held.keys() ?? []];
}

Deno.test("LockTable: transfer() passes locks to the next nodes of the same workflow, unrecorded until its status is written", () => {
  const table = ownWaiters(2, 3);
  assertEquals(table.mayTransfer("n/w", ["h1", "h2"]), true);
  assert(table.transfer("n/w", ["h1", "h2"]));
  table.grantAndAnswer();
  assertEquals([holderNodesOf(table), table.hasUnrecordedGrant("n/w")], [["w1", "w2"], true]);
  assertEquals(messageOf(table, "n/w", "w3"), "Waiting for n/ConfigMap/limits/s lock. Lock status: 0/2");
  table.recordHolds("n/w", ["w1", "w2"]);
  assertEquals(table.hasUnrecordedGrant("n/w"), false);
});

Deno.test("LockTable: undoing a transfer restores the previous holders, and nobody else had the locks", () => {
  const table = ownWaiters(2, 2);
  const handOver = table.transfer("n/w", ["h2"])!;
  table.request("a/other", "2025-01-01T00:00:00Z", askOf([S]));
  table.grantAndAnswer();
  assertEquals([holderNodesOf(table), holderNodesOf(table, "a/other")], [["h1", "w1"], []]);
  handOver.undo();
  table.grantAndAnswer();
  assertEquals([holderNodesOf(table).sort(), table.hasUnrecordedGrant("n/w")], [["h1", "h2"], false]);
  assertEquals([table.mayTransfer("n/w", ["h2"]), holderNodesOf(table, "a/other")], [false, []]);
  table.release("n/w", "h2");
  table.grantAndAnswer();
  assertEquals([holderNodesOf(table), holderNodesOf(table, "a/other")], [["h1"], [""]]);
});

Deno.test("LockTable: undoing a transfer has no effect for a workflow that lost its claims meanwhile", () => {
  const table = ownWaiters(1, 1);
  const handOver = table.transfer("n/w", ["h1"])!;
  table.releaseAll("n/w");
  handOver.undo();
  table.grantAndAnswer();
  assertEquals([table.workflows(), table.isUsed(S)], [[], false]);
});

const NOT_HANDED_OVER: Readonly<Record<string, (table: LockTable) => void>> = {
  "another workflow is next": (table) => table.request("a/other", "2025-01-01T00:00:00Z", askOf([S])),
  "more become free than the workflow wants": (table) => table.release("n/w", "w1"),
  "the limit is 0 now": (table) => table.setLimit(S, 0),
  "one of the holders waits itself": (table) => table.release("n/w", "h2"),
  "the next one wants a second lock": (table) => {
    for (const node of ["w1", "w2"]) table.release("n/w", node);
    for (const node of ["w1", "w2"]) table.request("n/w", OLD, askOf([S, A], node));
  },
  "a record of the lock cannot be read": (table) => table.poison(S, "n/broken", "is not text"),
  "waiting claims are not yet registered after a restart": (table) => void (table.isOpen = false),
};

for (const [when, change] of Object.entries(NOT_HANDED_OVER)) {
  Deno.test(`LockTable: locks are not transferred while ${when}`, () => {
    const table = ownWaiters(2, 2);
    change(table);
    table.grantAndAnswer();
    const before = holderNodesOf(table);
    assertEquals([table.mayTransfer("n/w", ["h1", "h2"]), table.transfer("n/w", ["h1", "h2"])], [false, undefined]);
    assertEquals(holderNodesOf(table), before);
  });
}

const LIMIT_S = "semaphore n/ConfigMap/limits/s";

/** A table in which the status of the workflow names these nodes as successors. */
function tableWithSuccessors(limit: number, waiting: number, next: readonly string[]): LockTable {
  const table = ownWaiters(limit, waiting);
  table.recordHolds("n/w", holderNodesOf(table), new Map([[LIMIT_S, next]]));
  return table;
}

Deno.test("LockTable: a few successors per holder may be named, in order, if no other workflow comes between", () => {
  const table = ownWaiters(2, 9);
  const next = ["w1", "w2", "w3", "w4", "w5", "w6"];
  assertEquals([...table.successorsOf("n/w")], [[LIMIT_S, next]]);
  table.request("n/w", OLD, askOf([S, A], "w3b"));
  table.request("a/other", "2025-01-01T00:00:00Z", askOf([S]));
  table.grantAndAnswer();
  assertEquals([...table.successorsOf("n/w")], []);
});

Deno.test("LockTable: locks go to the named successors in order, and count as recorded", () => {
  const table = tableWithSuccessors(2, 4, ["w1", "w2", "w3"]);
  assertEquals([table.wouldGoToNamedSuccessors("n/w", ["h2"]), table.needsMoreSuccessors("n/w")], [true, false]);
  table.transfer("n/w", ["h2"])!.commit();
  table.grantAndAnswer();
  assertEquals([holderNodesOf(table).sort(), table.hasUnrecordedGrant("n/w")], [["h1", "w1"], false]);
  assertEquals([table.isUnrecordedSuccessor("n/w", "w1"), table.isUnrecordedSuccessor("n/w", "h1")], [true, false]);
  assertEquals(table.wouldGoToNamedSuccessors("n/w", ["h1", "w1"]), true);
  table.transfer("n/w", ["h1"])!.commit();
  table.grantAndAnswer();
  // One is left for two holders, and another waits that could be named.
  assertEquals([table.wouldGoToNamedSuccessors("n/w", ["w1", "w2"]), table.needsMoreSuccessors("n/w")], [false, true]);
  table.recordHolds("n/w", holderNodesOf(table), table.successorsOf("n/w"));
  assertEquals([table.isUnrecordedSuccessor("n/w", "w1"), table.needsMoreSuccessors("n/w")], [false, false]);
});

Deno.test("LockTable: a lock does not go unrecorded to a claim that is not the first named successor", () => {
  const table = tableWithSuccessors(1, 3, ["w1", "w2"]);
  table.release("n/w", "w1");
  table.grantAndAnswer();
  assertEquals([table.mayTransfer("n/w", ["h1"]), table.wouldGoToNamedSuccessors("n/w", ["h1"])], [true, false]);
  const other = tableWithSuccessors(1, 3, ["w1", "w2"]);
  other.forgetSuccessors("n/w");
  assertEquals(other.wouldGoToNamedSuccessors("n/w", ["h1"]), false);
});

Deno.test("LockTable: undoing a transfer to named successors restores everything", () => {
  const table = tableWithSuccessors(1, 2, ["w1", "w2"]);
  table.transfer("n/w", ["h1"])!.undo();
  table.grantAndAnswer();
  assertEquals([
    holderNodesOf(table),
    table.wouldGoToNamedSuccessors("n/w", ["h1"]),
    table.isUnrecordedSuccessor("n/w", "w1"),
  ], [["h1"], true, false]);
});

Deno.test("LockTable: after a restart, named successors precede all other claims, in order", () => {
  const table = new LockTable();
  table.restore("n/w", OLD, askOf([S], "h1"));
  for (const [place, node] of ["w2", "w1"].entries()) table.restoreSuccessor("n/w", OLD, askOf([S], node), place);
  table.request("a/other", "2025-01-01T00:00:00Z", askOf([S], "", 9));
  for (const node of ["w1", "w2", "w3"]) table.request("n/w", OLD, askOf([S], node));
  table.setLimit(S, 1);
  const order: string[] = [];
  const next = (): [string, string] | undefined => {
    for (const workflow of ["n/w", "a/other"]) {
      for (const node of holderNodesOf(table, workflow)) return [workflow, node];
    }
    return undefined;
  };
  table.grantAndAnswer();
  for (let holder = next(); holder; holder = next()) {
    order.push(holder.join(" "));
    table.release(...holder);
    table.grantAndAnswer();
  }
  assertEquals(order, ["n/w h1", "n/w w2", "n/w w1", "a/other ", "n/w w3"]);
});

/**
 * A table after a restart, before all claims are registered: nodes hold a semaphore by the status, which names
 * successors.
 */
function afterRestart(holders: readonly string[], next: readonly string[], limit = holders.length): LockTable {
  const table = new LockTable();
  table.isOpen = false;
  for (const node of holders) table.restore("n/w", OLD, askOf([S], node));
  for (const [place, node] of next.entries()) table.restoreSuccessor("n/w", OLD, askOf([S], node), place);
  table.setLimit(S, limit);
  return table;
}

Deno.test("LockTable: after a restart, a released lock goes directly to its named successor, even if claims are missing or others are next", () => {
  const table = afterRestart(["h1", "h2"], ["w1", "w2", "w3"]);
  table.request("n/vip", NEW, askOf([S], "", 9));
  table.grantAndAnswer();
  // The first named successor has ended, too, so the one after it may be running.
  assert(table.transferToRestored("n/w", ["h1", "w1"]));
  table.grantAndAnswer();
  assertEquals([holderNodesOf(table).sort(), table.hasUnrecordedGrant("n/w"), holderNodesOf(table, "n/vip")], [
    ["h2", "w2"],
    true,
    [],
  ]);
  assertEquals([...table.successorsOf("n/w")], [[LIMIT_S, ["w1", "w3"]]]);
  assertEquals([table.transferToRestored("n/w", ["w1"]), table.transferToRestored("n/vip", [""])], [
    undefined,
    undefined,
  ]);
});

Deno.test("LockTable: undoing a transfer to a restored successor restores the previous holder", () => {
  const table = afterRestart(["h1"], ["w1"]);
  for (let time = 0; time < 2; time++) {
    table.transferToRestored("n/w", ["h1"])!.undo();
    table.grantAndAnswer();
    assertEquals([holderNodesOf(table), [...table.successorsOf("n/w")]], [["h1"], [[LIMIT_S, ["w1"]]]]);
  }
});

Deno.test("LockTable: a hold beyond a smaller limit is not transferred", () => {
  const table = afterRestart(["h1", "h2", "h3"], ["w1", "w2"], 2);
  assert(table.transferToRestored("n/w", ["h1", "h2"]));
  table.release("n/w", "h1");
  table.isOpen = true;
  table.grantAndAnswer();
  assertEquals(holderNodesOf(table).sort(), ["h3", "w1"]);
});

Deno.test("LockTable: a successor named for a lock that it does not request gets neither a position nor the lock", () => {
  const table = afterRestart(["h1"], ["w1", "w2", "w3"]);
  table.restore("n/other", OLD, askOf([A]));
  assertEquals(table.answersOf("n/w")?.get("w1")?.kind, "namedSuccessor");
  table.request("n/w", OLD, askOf([A], "w1"));
  table.request("n/w", OLD, askOf([S, A], "w2"));
  table.refuse("n/w", OLD, askOf([S], "w3"), "no");
  table.isOpen = true;
  table.grantAndAnswer();
  assertEquals([table.transferToRestored("n/w", ["h1"]), messageOf(table, "n/w", "w3")], [undefined, "no"]);
  table.release("n/w", "h1");
  table.grantAndAnswer();
  assertEquals([holderNodesOf(table), messageOf(table, "n/w", "w1")], [
    [],
    "Waiting for n/Mutex/a lock. Lock status: 0/1",
  ]);
  table.release("n/other", "");
  table.grantAndAnswer();
  assertEquals(table.answersOf("n/w")?.held.get("w1"), [{ type: "mutex", key: A.key }]);
});

Deno.test("LockTable: a successor that requests its lock after a restart keeps its position, and the others leave nothing behind", () => {
  const table = afterRestart(["h1"], ["w1", "w2"]);
  table.request("n/w", OLD, askOf([S], "w2"));
  table.isOpen = true;
  table.grantAndAnswer();
  assertEquals(messageOf(table, "n/w", "w2"), "Waiting for n/ConfigMap/limits/s lock. Lock status: 0/1");
  table.release("n/w", "w1");
  assert(table.transferToRestored("n/w", ["h1"]));
  assertEquals(holderNodesOf(table), ["w2"]);
  table.releaseAll("n/w");
  assertEquals([table.workflows(), table.isUsed(S), table.transferToRestored("n/w", ["h1"])], [[], false, undefined]);
});
