import { assert, assertEquals } from "@std/assert";
import type { NodeStatus } from "@tiphys/model/api";
import { criticalPath } from "../graph/critical_path.ts";
import { makePart } from "../graph/make_part.ts";
import type { Part } from "../graph/part.ts";
import { blocksOf, CAUSE_WORDS, type Flame, flameOf, leavesOf, placeAfter, shareText, windowOf } from "./flame.ts";
import type { StageSpan } from "./stages.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString().replace(".000", "");

function leaf(key: string, from: number, to: number, more: Partial<NodeStatus> = {}): Part {
  const node = {
    id: `id-${key}`,
    name: key,
    type: "Pod",
    phase: "Succeeded",
    startedAt: at(from),
    finishedAt: at(to),
    ...more,
  } as NodeStatus;
  return makePart({ key, label: key, kind: "leaf", node, family: "done" });
}

function box(key: string, members: readonly Part[]): Part {
  const edges = members.slice(1).map((_, from) => ({ from, to: from + 1, kind: "after" as const }));
  return makePart({ key, label: key, kind: "box", members, edges });
}

/** A leaf, then a group of two with a pause between them, then a wait for a person. */
const WHOLE = box("w", [
  leaf("first", 0, 10),
  box("inner", [leaf("a", 12, 20), leaf("b", 25, 40)]),
  leaf("gate", 40, 60, { type: "Suspend" }),
]);
const PATH = criticalPath(WHOLE, { startedAt: START, finishedAt: START + 62_000 });

const flame = (stages: (node: NodeStatus) => readonly StageSpan[] | undefined = () => undefined) =>
  flameOf(WHOLE, PATH, stages)!;
const rowsOf = ({ rows }: Flame) =>
  rows.map((row) => row.map(({ label, from, to }) => `${label} ${(from - START) / 1000}-${(to - START) / 1000}`));
const sumsOf = ({ sums }: Flame) => sums.map(({ cause, millis }) => `${CAUSE_WORDS[cause]} ${millis / 1000}`);

Deno.test("flameOf: spans are nested, and a group includes idle time within it", () => {
  assertEquals(rowsOf(flame()), [
    ["w 0-62"],
    ["first 0-10", "nothing ran 10-12", "inner 12-40", "gate 40-60", "nothing ran 60-62"],
    ["a 12-20", "nothing ran 20-25", "b 25-40"],
  ]);
});

Deno.test("flameOf: every moment has one cause, and causes add up to the duration of the run", () => {
  assertEquals(sumsOf(flame()), ["ran 33", "waited for a person 20", "nothing ran 9"]);
  const split = flame(({ name }) =>
    name === "b"
      ? [
        { stage: "wait", from: START + 25_000, to: START + 28_000, family: "done" },
        { stage: "run", from: START + 28_000, to: START + 39_000, family: "done" },
      ]
      : undefined
  );
  assertEquals(sumsOf(split), [
    "waited for a machine 3",
    "ran 29",
    "waited for a person 20",
    "nothing ran 9",
    "unknown 1",
  ]);
  assertEquals(split.sums.reduce((sum, { millis }) => sum + millis, 0), 62_000);
  assertEquals(split.rows[2]!.at(-1)!.causes.map(({ cause }) => cause), ["wait", "run", "unknown"]);
});

Deno.test("leavesOf: lists the leaves by time, with the enclosing groups", () => {
  const leaves = leavesOf(flame()).map(({ span, within }) => [...within, span.label].join("/"));
  assertEquals(leaves, [
    "first",
    "nothing ran",
    "inner/a",
    "inner/nothing ran",
    "inner/b",
    "gate",
    "nothing ran",
  ]);
  assertEquals([shareText(1, 3), shareText(1, 30), shareText(0, 3)], ["33 %", "3.3 %", "0 %"]);
});

Deno.test("flameOf: undefined without a critical path or without duration", () => {
  assertEquals(flameOf(WHOLE, [], () => undefined), undefined);
  assertEquals(flameOf(WHOLE, [{ key: "", label: "", kind: "idle", from: 1, to: 1 }], () => undefined), undefined);
});

Deno.test("placeAfter: arrow keys move to adjacent spans, to a child and to the parent", () => {
  const shown = flame();
  assertEquals(placeAfter(shown, { row: 1, place: 2 }, "ArrowDown"), { row: 2, place: 0 });
  assertEquals(placeAfter(shown, { row: 2, place: 1 }, "ArrowUp"), { row: 1, place: 2 });
  assertEquals(placeAfter(shown, { row: 1, place: 2 }, "ArrowRight"), { row: 1, place: 3 });
  assertEquals(placeAfter(shown, { row: 1, place: 0 }, "ArrowLeft"), undefined);
  assertEquals(placeAfter(shown, { row: 1, place: 4 }, "ArrowRight"), undefined);
  assertEquals(placeAfter(shown, { row: 0, place: 0 }, "ArrowUp"), undefined);
  assertEquals(placeAfter(shown, { row: 1, place: 0 }, "ArrowDown"), undefined);
});

Deno.test("blocksOf: combines spans that are too short, and omits those outside the window", () => {
  const row = flame().rows[1]!;
  const window = { from: START, to: START + 62_000 };
  assertEquals(blocksOf(row, window, 620).map(({ first, last }) => [first, last]), [[0, 0], [1, 1], [2, 2], [3, 3], [
    4,
    4,
  ]]);
  assertEquals(blocksOf(row, window, 4).length < 5, true);
  const near = blocksOf(row, { from: START + 15_000, to: START + 45_000 }, 620);
  assertEquals(near.map(({ first, left, width }) => [first, Math.round(left * 30), Math.round(width * 30)]), [
    [2, 0, 25],
    [3, 25, 5],
  ]);
});

Deno.test("blocksOf: the number of blocks is limited by the width; flameOf: has at most 24 rows", () => {
  const chain = box("w", Array.from({ length: 20_000 }, (_, i) => leaf(`l${i}`, i, i + 1)));
  const times = { startedAt: START, finishedAt: START + 20_000_000 };
  const long = flameOf(chain, criticalPathOf(chain), () => undefined)!;
  assertEquals([long.rows.length, long.rows[1]!.length], [2, 20_000]);
  assert(blocksOf(long.rows[1]!, { from: times.startedAt, to: times.finishedAt }, 1000).length <= 500);
  let deep: Part = leaf("l", 0, 5);
  for (let i = 0; i < 100; i++) deep = box(`b${i}`, [deep]);
  const stack = flameOf(deep, criticalPathOf(deep), () => undefined)!;
  assertEquals([stack.rows.length, stack.rows.at(-1)![0]!.label], [24, "l"]);
});

/** The path of consecutive leaves. */
function criticalPathOf(whole: Part) {
  const leaves = whole.members.length > 1 ? whole.members : [leaf("l", 0, 5)];
  return leaves.map(({ key, label, node }) => ({
    key,
    label,
    kind: "run" as const,
    from: Date.parse(node!.startedAt!),
    to: Date.parse(node!.finishedAt!),
  }));
}

Deno.test("windowOf: a zoom is relative to the earliest node, and one outside the run shows everything", () => {
  const flame = { from: START + 60_000, to: START + 120_000 };
  assertEquals(windowOf(flame, undefined, START), flame);
  assertEquals(windowOf(flame, "70..80", START), { from: START + 70_000, to: START + 80_000 });
  assertEquals(windowOf(flame, "10..40", START), flame);
  assertEquals(windowOf(flame, "no zoom", START), flame);
});
