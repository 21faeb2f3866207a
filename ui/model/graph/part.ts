/** Parts of the graph: what is drawn as one thing, be it a node, a box of nodes, or what is planned and not there yet. */
import type { NodeStatus } from "@tiphys/model/api";
import type { Family } from "../phase.ts";

/** The kinds of parts: one node; a template that holds others; the items of a loop; parts of one template; an artifact. */
export type PartKind = "leaf" | "box" | "loop" | "group" | "artifact";

/** The artifact that a part stands for. */
export interface PartArtifact {
  readonly nodeId: string;
  readonly side: "inputs" | "outputs";
  readonly name: string;
  /** The end of its place in the store. */
  readonly file: string;
}

/** An edge between two members of a part, by their places among the members. */
export interface PartEdge {
  readonly from: number;
  readonly to: number;
  /** A hook or exit handler hangs on what it is of; other edges say what waits for what. */
  readonly kind: "after" | "hook";
}

/** Leaves by family. */
export type FamilyCounts = Readonly<Record<Family, number>>;

/** A part of the graph. */
export interface Part {
  /** The name of its node, which is known before the node is there: so a planned part and its node have one place. */
  readonly key: string;
  readonly label: string;
  readonly kind: PartKind;
  /** The node; absent for what is planned, and for the loop of a step, which has none. */
  readonly node?: NodeStatus;
  readonly template: string;
  readonly family: Family;
  readonly isPlanned: boolean;
  readonly members: readonly Part[];
  readonly edges: readonly PartEdge[];
  /** The attempts of a node that is retried, first to last. */
  readonly attempts: readonly NodeStatus[];
  /** The leaves in it, itself when it is one; an artifact is none. */
  readonly counts: FamilyCounts;
  /** The parts in it, itself included. */
  readonly size: number;
  /** The items that a planned loop will have; absent where that is not known before it runs. */
  readonly items?: number;
  readonly artifact?: PartArtifact;
  /** What a manifest says of it, in a line, where no run is shown but a template: nothing of it has a phase. */
  readonly declared?: string;
}

/** The parts of a part, itself first, outer ones before inner ones. */
export function* partsIn(part: Part): Generator<Part> {
  const ahead = [part];
  for (let one = ahead.pop(); one; one = ahead.pop()) {
    yield one;
    for (let at = one.members.length - 1; at >= 0; at--) ahead.push(one.members[at]!);
  }
}

/** The parts from the outermost to the one with a key; empty when there is none. */
export function wayTo(part: Part, key: string): readonly Part[] {
  if (part.key === key) return [part];
  for (const member of part.members) {
    const way = wayTo(member, key);
    if (way.length) return [part, ...way];
  }
  return [];
}
