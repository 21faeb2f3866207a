/** The combined graph of two runs: common parts, differences, and parts of one run only. Pure. */
import type { Workflow } from "@tiphys/model/api";
import { durationText } from "../duration.ts";
import { makePart } from "../graph/make_part.ts";
import { type Part, type PartEdge, partsIn } from "../graph/part.ts";
import { lookOfPart } from "../graph/part_look.ts";
import { OUTERMOST_KEY, partsOf } from "../graph/parts.ts";
import type { Shade, Tint, Tints } from "../graph/tint.ts";
import type { Comparison, NodeDifference } from "./compare.ts";
import * as words from "../text/en/compare.ts";

/** The kinds of parts: equal in both, different, only in the earlier run, only in the later run. */
export const KINDS = ["same", "changed", "before", "after"] as const;
/** A kind. */
export type ComparedKind = (typeof KINDS)[number];

/** The symbol of each kind, which does not depend on color. */
export const SIGNS: Readonly<Record<ComparedKind, string>> = { same: "=", changed: "≠", before: "−", after: "+" };

/** The color of each kind; equal parts are nearly uncolored. */
export const SHADE_OF: Readonly<Record<ComparedKind, Shade>> = {
  same: "heat-1",
  changed: "heat-3",
  before: "kind-1",
  after: "kind-3",
};

/** The maximum number of parts of a combined graph, which is built and laid out synchronously. */
export const MAX_COMPARED = 5_000;

/** The combined graph. */
export interface ComparedGraph {
  /** Parts have the keys of the later run; those that it does not have start with `before:`. */
  readonly whole: Part;
  readonly tints: Tints;
  /** The number of leaves of each kind. */
  readonly counts: Readonly<Record<ComparedKind, number>>;
}

/** Builds the combined graph of a run and an earlier one; returns undefined if it has too many parts. */
export function comparedGraph(
  before: Workflow,
  after: Workflow,
  comparison: Comparison,
): ComparedGraph | undefined {
  const [old, now] = [sideOf(before), sideOf(after)];
  if (old.whole.size + now.whole.size > 2 * MAX_COMPARED) return undefined;
  // A run with an exit handler has one more level around its tasks.
  const isDeep = old.isDeep || now.isDeep;
  const merged = new GraphMerger(old, now, comparison);
  const whole = merged.part(withAllMembers(old, isDeep), withAllMembers(now, isDeep));
  if (whole.size > MAX_COMPARED) return undefined;
  const counts = { same: 0, changed: 0, before: 0, after: 0 };
  for (const part of partsIn(whole)) {
    const kind = part.members.length === 0 ? merged.kinds.get(part) : undefined;
    if (kind) counts[kind]++;
  }
  const of = (part: Part): Tint | undefined => {
    const kind = merged.kinds.get(part);
    return kind && { shade: SHADE_OF[kind], text: `${SIGNS[kind]} ${merged.words.get(part) ?? ""}` };
  };
  return { whole, tints: { tintOf: of, legend: [] }, counts };
}

interface Side {
  readonly run: string;
  readonly whole: Part;
  readonly isDeep: boolean;
}

function sideOf(workflow: Workflow): Side {
  const run = workflow.metadata.name ?? "";
  const whole = partsOf(workflow);
  return { run, whole, isDeep: whole.members.some(({ key }) => key === run) };
}

function withAllMembers({ run, whole, isDeep }: Side, isWanted: boolean): Part {
  if (!isWanted || isDeep || whole.members.length === 0) return whole;
  return makePart({ key: OUTERMOST_KEY, label: whole.label, kind: "box", members: [{ ...whole, key: run }] });
}

class GraphMerger {
  /** The kind and the description of parts with a node in at least one run. */
  readonly kinds = new Map<Part, ComparedKind>();
  readonly words = new Map<Part, string>();
  readonly #old: Side;
  readonly #now: Side;
  readonly #differences: ReadonlyMap<string, NodeDifference>;
  readonly #templates: ReadonlySet<string>;

  constructor(old: Side, now: Side, { nodes, templates }: Comparison) {
    this.#old = old;
    this.#now = now;
    this.#differences = new Map(nodes.flatMap((node) => node.after ? [[node.after.id, node]] : []));
    this.#templates = new Set(templates.map(({ name }) => name));
  }

  /** Merges a part of both runs; either may be missing. */
  part(before: Part | undefined, after: Part | undefined): Part {
    const shown = after && !(after.isPlanned && before && !before.isPlanned) ? after : before!;
    const key = after ? after.key : `before:${pathOf(before!.key, this.#old.run)}`;
    const members = this.#members(before?.members ?? [], after?.members ?? []);
    const part = makePart({
      ...shown,
      key,
      members: members.parts,
      edges: joinEdges(members, before, after),
      family: shown.node ? shown.family : members.parts.length > 0 ? undefined : shown.family,
    });
    this.#classify(part, before, after);
    return part;
  }

  #members(before: readonly Part[], after: readonly Part[]) {
    const older = new Map(before.map((part) => [pathOf(part.key, this.#old.run), part]));
    const parts: Part[] = [];
    const [places, oldPlaces] = [new Map<Part, number>(), new Map<Part, number>()];
    for (const part of after) {
      const path = pathOf(part.key, this.#now.run);
      const other = older.get(path);
      older.delete(path);
      places.set(part, parts.length);
      if (other) oldPlaces.set(other, parts.length);
      parts.push(this.part(other, part));
    }
    for (const part of older.values()) {
      oldPlaces.set(part, parts.length);
      parts.push(this.part(part, undefined));
    }
    return { parts, places, oldPlaces };
  }

  #classify(part: Part, before: Part | undefined, after: Part | undefined): void {
    const [was, is] = [hasNode(before), hasNode(after)];
    if (!was && !is) return;
    if (!was || !is) {
      return this.#addTint(part, is ? "after" : "before", is ? words.onlyHere : words.notHere);
    }
    if (part.members.length > 0) {
      const all = part.members.flatMap((member) => this.kinds.get(member) ?? []);
      const different = all.filter((kind) => kind !== "same").length;
      return this.#addTint(
        part,
        different ? "changed" : "same",
        different ? words.someDiffer(different, all.length) : words.same,
      );
    }
    const difference = after?.node && this.#differences.get(after.node.id);
    if (difference) return this.#addTint(part, "changed", changeText(before!, after!, difference));
    const isOther = this.#templates.has(part.template);
    this.#addTint(part, isOther ? "changed" : "same", isOther ? words.otherTemplate : words.same);
  }

  #addTint(part: Part, kind: ComparedKind, words: string): void {
    this.kinds.set(part, kind);
    this.words.set(part, words);
  }
}

/** Reports whether a part contains a node. */
function hasNode(part: Part | undefined): boolean {
  return part !== undefined && !part.isPlanned && (part.node !== undefined || part.members.some(hasNode));
}

function pathOf(key: string, run: string): string {
  return key.startsWith(run) ? key.slice(run.length) : key;
}

function changeText(before: Part, after: Part, { longer, outputs }: NodeDifference): string {
  const [was, is] = [lookOfPart(before).word, lookOfPart(after).word];
  if (was !== is) return words.nowInPhase(is);
  if (longer !== undefined && longer !== 0) {
    return (longer > 0 ? words.tookLonger : words.tookShorter)(durationText(Math.abs(longer)));
  }
  return outputs.length > 0 ? words.otherOutputs : words.differs;
}

interface Members {
  readonly places: ReadonlyMap<Part, number>;
  readonly oldPlaces: ReadonlyMap<Part, number>;
}

/** Returns the edges of both without duplicates. */
function joinEdges({ places, oldPlaces }: Members, before: Part | undefined, after: Part | undefined): PartEdge[] {
  const edges = new Map<string, PartEdge>();
  const take = (part: Part | undefined, places: ReadonlyMap<Part, number>) => {
    for (const { from, to, kind } of part?.edges ?? []) {
      const [a, b] = [places.get(part!.members[from]!), places.get(part!.members[to]!)];
      if (a !== undefined && b !== undefined && a !== b) edges.set(`${a} ${b}`, { from: a, to: b, kind });
    }
  };
  take(before, oldPlaces);
  take(after, places);
  return [...edges.values()];
}
