import { assertEquals } from "@std/assert";
import { itemOfKey } from "./lock_item.ts";
import { LockTable } from "./lock_table.ts";

const OLD = "2026-01-01T00:00:00Z";

/** Workflows that hold a mutex each; a node of each then waits for the mutex of the next. */
function ringOf(count: number, told: string[] = []): LockTable {
  const table = new LockTable({ onAnswer: (workflow, nodeId) => nodeId && told.push(workflow) });
  const mutex = (at: number) => itemOfKey("mutex", `n/Mutex/m${at % count}`);
  const all = [...Array(count).keys()];
  for (const at of all) table.restore(`n/w${at}`, OLD, { nodeId: "", locks: [mutex(at)], priority: 0 });
  for (const at of all) table.ask(`n/w${at}`, OLD, { nodeId: "x", locks: [mutex(at + 1)], priority: 0 });
  table.settle();
  told.length = 0;
  for (const at of all) stalls(table, at);
  return table;
}

function stalls(table: LockTable, at: number): void {
  table.stalled(`n/w${at}`, new Map([["", { name: `workflow w${at}`, waiters: ["x"], waiterName: `w${at}.x` }]]));
  table.settle();
}

const part = (at: number, count: number) =>
  `workflow w${at} holds n/Mutex/m${at}, and w${at}.x in it waits for n/Mutex/m${(at + 1) % count}`;

Deno.test("workflows that wait for each other tell the ring, each from the one that it waits for on", () => {
  const told: string[] = [];
  const table = ringOf(2, told);
  assertEquals(table.deadlocksOf("n/w0"), new Map([["x", `${part(1, 2)}; ${part(0, 2)}`]]));
  assertEquals(table.deadlocksOf("n/w1"), new Map([["x", `${part(0, 2)}; ${part(1, 2)}`]]));
  assertEquals(told.toSorted(), ["n/w0", "n/w1"]);
});

Deno.test("a long ring names four of its holders, and counts the others", () => {
  const words = ringOf(6).deadlocksOf("n/w3")?.get("x");
  assertEquals(words, `${[4, 5, 0, 1].map((at) => part(at, 6)).join("; ")} and 2 more`);
});

Deno.test("nothing is told while something goes on in one of the holders, or when it does again", () => {
  const table = ringOf(3);
  table.stalled("n/w1", new Map());
  table.settle();
  for (const at of [0, 1, 2]) assertEquals(table.deadlocksOf(`n/w${at}`), undefined);
});

Deno.test("a ring is over when one of its workflows is", () => {
  const told: string[] = [];
  const table = ringOf(3, told);
  told.length = 0;
  table.releaseAll("n/w1");
  table.settle();
  for (const at of [0, 2]) assertEquals(table.deadlocksOf(`n/w${at}`), undefined);
  assertEquals(table.answersOf("n/w0")?.get("x")?.kind, "held");
  assertEquals(told.includes("n/w2"), true);
});

Deno.test("who is next for a free lock, and waits in the ring for another, is named in it", () => {
  const table = new LockTable();
  const [held, free] = ["held", "free"].map((name) => itemOfKey("mutex", `n/Mutex/${name}`));
  table.restore("n/w0", "2026-01-01T00:00:09Z", { nodeId: "", locks: [held!], priority: 0 });
  table.ask("n/both", OLD, { nodeId: "", locks: [free!, held!], priority: 0 });
  table.ask("n/w0", "2026-01-01T00:00:09Z", { nodeId: "x", locks: [free!], priority: 0 });
  table.settle();
  stalls(table, 0);
  const words = "n/both is next for n/Mutex/free, and waits for n/Mutex/held; " +
    "workflow w0 holds n/Mutex/held, and w0.x in it waits for n/Mutex/free";
  assertEquals(table.deadlocksOf("n/w0")?.get("x"), words);
});
