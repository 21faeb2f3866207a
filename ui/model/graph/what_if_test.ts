import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { NodeStatus } from "@tiphys/model/api";
import { MAX_CLOCK_SKEW_MILLIS } from "./part_order.ts";
import { criticalPath } from "./critical_path.ts";
import { makePart } from "./make_part.ts";
import { type Part, type PartEdge, partsIn } from "./part.ts";
import { gainsIn } from "./what_if.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();
const isDaemon = ({ templateName }: NodeStatus) => templateName === "daemon";

function leaf(key: string, from: number, to: number, more: Partial<NodeStatus> = {}): Part {
  const times = { startedAt: at(from), finishedAt: at(to) };
  const node = { id: key, name: key, type: "Pod", phase: "Succeeded", ...times, ...more } as NodeStatus;
  return makePart({ key, label: key, kind: "leaf", node, family: "done" });
}

function box(key: string, members: readonly Part[], edges: Readonly<Record<string, string>>, from?: number): Part {
  const place = (key: string) => members.findIndex((member) => member.key === key);
  const node = from === undefined ? undefined : { id: key, name: key, startedAt: at(from) } as NodeStatus;
  return makePart({
    key,
    label: key,
    kind: "box",
    node,
    members,
    edges: Object.entries(edges).flatMap(([to, before]) =>
      before.split(" ").map((edge): PartEdge => ({
        from: place(edge.replace("~", "")),
        to: place(to),
        kind: edge.startsWith("~") ? "hook" : "after",
      }))
    ),
  });
}

/** The gain of each part in seconds. */
function gains(whole: Part, end: number): Record<string, number> {
  const found = gainsIn(whole, { startedAt: START, finishedAt: START + end * 1000, isDaemon })!;
  return Object.fromEntries([...partsIn(whole)].flatMap(({ key }) => {
    const gain = found.gainOf(key);
    return gain === undefined || key === "w" ? [] : [[key, gain / 1000]];
  }));
}

Deno.test("gainsIn: without the longer side of a diamond, the shorter side determines the duration; without the shorter side, nothing is gained", () => {
  const parts = [leaf("a", 0, 10), leaf("slow", 11, 50), leaf("fast", 11, 30), leaf("join", 52, 60)];
  const whole = box("w", parts, { slow: "a", fast: "a", join: "slow fast" });
  assertEquals(gains(whole, 61), { a: 10, slow: 20, fast: 0, join: 8 });
});

Deno.test("gainsIn: a group counts with everything in it, including pauses and earlier attempts; a side branch gains nothing", () => {
  const inner = box("inner", [leaf("b", 25, 30), leaf("c", 35, 50), leaf("side", 35, 36)], { c: "b", side: "b" }, 12);
  const whole = box("w", [leaf("a", 0, 10), inner, leaf("d", 51, 60)], { inner: "a", d: "inner" });
  assertEquals(gains(whole, 60), { a: 10, inner: 38, b: 5, c: 14, side: 0, d: 9 });
});

Deno.test("gainsIn: a skipped node passes on its predecessors", () => {
  const skipped = leaf("s", 10, 10, { phase: "Skipped" });
  const whole = box("w", [leaf("a", 0, 10), skipped, leaf("b", 11, 20)], { s: "a", b: "s" });
  assertEquals(gains(whole, 20), { a: 10, b: 9 });
  assertEquals(keysOf(whole, 20), ["a", "b"]);
});

Deno.test("gainsIn: successors of a daemon wait until it is ready, and the end of the run does not wait for it", () => {
  const daemon = leaf("db", 10, 61, { templateName: "daemon" });
  const whole = box("w", [leaf("a", 0, 10), daemon, leaf("b", 15, 60)], { db: "a", b: "db" });
  assertEquals(gains(whole, 61), { a: 10, db: 0, b: 45 });
  assertEquals(keysOf(whole, 61), ["a", "db", "b"]);
});

Deno.test("gainsIn: hooks and exit handlers count, because successors wait for them", () => {
  const parts = [leaf("a", 0, 10), leaf("hook", 11, 30), leaf("b", 31, 40)];
  const whole = box("w", parts, { hook: "~a", b: "a" });
  assertEquals(gains(whole, 40), { a: 10, hook: 19, b: 9 });
  assertEquals(keysOf(whole, 40), ["a", "hook", "b"]);
});

Deno.test("gainsIn: a step waits for the whole previous group, even if the graph has one edge only", () => {
  const group = (index: number, from: number) =>
    Array.from({ length: 30 }, (_, i) => leaf(`w[${index}].s${i}`, from, from + (i === 7 ? 20 : 10)));
  const members = [...group(0, 0), ...group(1, 20)];
  const edges = Array.from({ length: 30 }, (_, i): PartEdge => ({ from: i, to: 30 + i, kind: "after" }));
  const whole = makePart({ key: "w", label: "w", kind: "box", members, edges });
  assertEquals(gains(whole, 40)["w[0].s7"], 10);
  assertEquals(keysOf(whole, 40), ["w[0].s7", "w[1].s7"]);
});

Deno.test("gainsIn: clocks that differ by a second do not break a chain", () => {
  const whole = box("w", [leaf("a", 0, 11), leaf("b", 10, 20)], { b: "a" });
  assertEquals(gains(whole, 20), { a: 11, b: 9 });
  assertEquals(keysOf(whole, 20), ["a", "b"]);
});

function keysOf(whole: Part, end: number): string[] {
  const path = criticalPath(whole, { startedAt: START, finishedAt: START + end * 1000, isDaemon });
  return path.filter(({ kind }) => kind === "run").map(({ key }) => key);
}

/** Random choices of a property test. */
type Choose = (below: number) => number;

/** A random graph of nested groups, whose leaves start after their predecessors, or at any time. */
function randomPart(choose: Choose, isOrderly: boolean): Part {
  let count = 0;
  const grow = (depth: number, from: number): { part: Part; to: number } => {
    const key = `n${count++}`;
    if (depth === 0 || choose(3) === 0 && depth < 3) {
      const begin = isOrderly ? from + choose(4) : choose(40);
      const end = begin + choose(12);
      if (choose(8) === 0) return { part: leaf(key, from, from, { phase: "Skipped" }), to: from };
      if (choose(8) === 0) {
        return { part: leaf(key, begin, begin + 60, { templateName: "daemon" }), to: begin + choose(3) };
      }
      return { part: leaf(key, begin, end), to: end };
    }
    const members: Part[] = [];
    const ends: number[] = [];
    const edges: PartEdge[] = [];
    const hooks = new Set<number>();
    for (let place = 0; place < 1 + choose(4); place++) {
      let held = from;
      const isHook = place > 0 && choose(6) === 0;
      if (isHook) hooks.add(place);
      for (let before = 0; before < place; before++) {
        if (hooks.has(before) || choose(2) === 0) continue;
        edges.push({ from: before, to: place, kind: isHook ? "hook" : "after" });
        held = Math.max(held, ends[before]!);
        if (isHook) break;
      }
      const { part, to } = grow(depth - 1, held);
      members.push(part);
      ends.push(to);
    }
    // The order in the status differs from the order in time.
    const order = members.map((_, index) => index).sort(() => choose(3) - 1);
    const part = makePart({
      key,
      label: key,
      kind: "box",
      node: choose(2) === 0 ? { id: key, name: key, startedAt: at(from) } as NodeStatus : undefined,
      members: order.map((place) => members[place]!),
      edges: edges.map((edge) => ({ ...edge, from: order.indexOf(edge.from), to: order.indexOf(edge.to) })),
    });
    return { part, to: Math.max(...ends) };
  };
  return grow(3, 0).part;
}

const CHOICES = fc.array(fc.nat({ max: 1_000 }), { minLength: 20, maxLength: 400 });

function chooserOf(choices: readonly number[]): Choose {
  let next = 0;
  return (below) => (choices[next++ % choices.length]! + next) % below;
}

/** The reference implementation: computes the start of every leaf repeatedly from its predecessors. */
class ByHand {
  readonly #holders = new Map<Part, Part>();
  readonly #leaves: Part[];

  constructor(readonly whole: Part) {
    for (const part of partsIn(whole)) for (const member of part.members) this.#holders.set(member, part);
    this.#leaves = this.leavesIn(whole);
  }

  leavesIn(part: Part): Part[] {
    return [...partsIn(part)].filter((part) => part.members.length === 0 && part.node!.phase !== "Skipped");
  }

  timesOf({ node }: Part): [number, number] {
    return [Date.parse(node!.startedAt!), Date.parse(node!.finishedAt!)];
  }

  /** The leaves that a part waited for. */
  after(part: Part): Set<Part> {
    const holder = this.#holders.get(part);
    if (!holder) return new Set();
    const place = holder.members.indexOf(part);
    const into = holder.edges.filter(({ to }) => to === place);
    if (into.length === 0) return this.after(holder);
    const waited = into.filter(({ kind }) => kind === "after");
    const hooks = holder.edges.filter(({ kind, from }) => kind === "hook" && waited.some((edge) => edge.from === from))
      .map(({ to }) => to);
    const places = waited.length > 0 ? [...waited.map(({ from }) => from), ...hooks] : into.map(({ from }) => from);
    return new Set(
      places.filter((candidate) => candidate !== place).flatMap((place) => {
        const source = holder.members[place]!;
        const leaves = this.leavesIn(source);
        return leaves.length > 0 ? leaves : [...this.after(source)];
      }),
    );
  }

  endWithout(none: Part | undefined): number {
    const isNone = new Set(none ? this.leavesIn(none) : []);
    const starts = new Map<Part, number>();
    const startOf = (part: Part, from: number): number => {
      let [was, is] = [-Infinity, -Infinity];
      for (const follower of this.after(part)) {
        const [begun, ended] = this.timesOf(follower);
        if (begun > from) continue;
        const byEnd = !isDaemon(follower.node!) && ended <= from + MAX_CLOCK_SKEW_MILLIS;
        was = Math.max(was, byEnd ? ended : begun);
        const start = startOfLeaf(follower);
        is = Math.max(is, byEnd && !isNone.has(follower) ? start + ended - begun : start);
      }
      return was === -Infinity ? from : is + from - was;
    };
    const startOfLeaf = (leaf: Part): number => {
      if (!starts.has(leaf)) {
        const part = none && none.members.length > 0 && isNone.has(leaf) ? none : leaf;
        const froms = this.leavesIn(part).map((inner) => this.timesOf(inner)[0]);
        const own = Date.parse(part.node?.startedAt ?? "");
        starts.set(leaf, startOf(part, Math.min(...froms, Number.isNaN(own) ? Infinity : own)));
      }
      return starts.get(leaf)!;
    };
    const lasting = this.#leaves.filter(({ node }) => !isDaemon(node!));
    return Math.max(...(lasting.length > 0 ? lasting : this.#leaves).map((part) => {
      const [from, to] = this.timesOf(part);
      return startOfLeaf(part) + (isNone.has(part) ? 0 : to - from);
    }));
  }
}

for (const isOrderly of [true, false]) {
  Deno.test(`gainsIn: equals the reference implementation, ${isOrderly ? "in order" : "for any times"}`, () => {
    fc.assert(
      fc.property(CHOICES, (choices) => {
        const whole = randomPart(chooserOf(choices), isOrderly);
        const byHand = new ByHand(whole);
        const found = gainsIn(whole, { startedAt: START, finishedAt: START + 1_000_000, isDaemon })!;
        for (const part of partsIn(whole)) {
          const gain = found.gainOf(part.key);
          if (byHand.leavesIn(part).length === 0) assertEquals(gain, undefined);
          else assertEquals(gain, byHand.endWithout(undefined) - byHand.endWithout(part), part.key);
        }
      }),
      { numRuns: 400 },
    );
  });
}

Deno.test("gainsIn: a leaf off the critical path gains nothing, and one on it at most its duration", () => {
  fc.assert(
    fc.property(CHOICES, (choices) => {
      const whole = randomPart(chooserOf(choices), true);
      const times = { startedAt: START, finishedAt: START + 1_000_000, isDaemon };
      const path = new Set(criticalPath(whole, times).map(({ key }) => key));
      const found = gainsIn(whole, times)!;
      for (const { key, members, node } of partsIn(whole)) {
        const gain = members.length === 0 ? found.gainOf(key) : undefined;
        if (gain === undefined) continue;
        if (!path.has(key)) assertEquals(gain, 0, key);
        assert(gain >= 0 && gain <= Date.parse(node!.finishedAt!) - Date.parse(node!.startedAt!), key);
      }
    }),
  );
});

Deno.test("gainsIn: takes as many steps as there are leaves with their predecessors", () => {
  const stepsOf = (count: number) => {
    const sides = ["a", "b"].map((side, index) =>
      Array.from({ length: count }, (_, i) => leaf(`${side}${i}`, index * 10, index * 10 + 10))
    );
    const edges = Array.from({ length: count ** 2 }, (_, i): PartEdge => (
      { from: i % count, to: count + Math.floor(i / count), kind: "after" }
    ));
    const whole = makePart({ key: "w", label: "w", kind: "box", members: sides.flat(), edges });
    return gainsIn(whole, { startedAt: START, finishedAt: START + 20_000 })!.steps;
  };
  // Each leaf, its predecessors as sources, and each edge.
  assertEquals(stepsOf(3), 6 + 3 + 9);
  assertEquals(stepsOf(100), 200 + 100 + 10_000);
});

Deno.test("gainsIn: handles a run of 50,000 leaves, and returns undefined for one that is nested too deeply", () => {
  const members = Array.from({ length: 50_000 }, (_, i) => leaf(`l${i}`, i, i + 1));
  const edges = members.slice(1).map((_, from): PartEdge => ({ from, to: from + 1, kind: "after" }));
  const whole = makePart({ key: "w", label: "w", kind: "box", members, edges });
  const found = gainsIn(whole, { startedAt: START, finishedAt: START + 50_000_000 })!;
  assertEquals([found.gainOf("l7"), found.gainOf("none")], [1_000, undefined]);
  let deep = makePart({ key: "d", label: "d", kind: "box", members });
  for (let i = 0; i < 400; i++) deep = makePart({ key: `b${i}`, label: "b", kind: "box", members: [deep] });
  assertEquals(gainsIn(deep, { startedAt: START, finishedAt: START + 50_000_000 }), undefined);
});
