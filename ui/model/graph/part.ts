/** Parts of the graph, each drawn as one item: a node, a group of nodes, or something planned. */
import type { NodeStatus } from "@tiphys/model/api";
import type { PhaseFamily } from "../phase.ts";

/**
 * The kinds of parts: one node; a template that contains others; the items of a loop; parts of one template; an
 * artifact.
 */
export type PartKind = "leaf" | "box" | "loop" | "group" | "artifact";

/** The artifact that a part represents. */
export interface PartArtifact {
  readonly nodeId: string;
  readonly side: "inputs" | "outputs";
  readonly name: string;
  /** The last segment of its location. */
  readonly file: string;
}

/** An edge between two members of a part, by their indexes. */
export interface PartEdge {
  readonly from: number;
  readonly to: number;
  /** A hook or exit handler is attached to its subject; other edges are dependencies. */
  readonly kind: "after" | "hook";
}

/** The number of leaves of each family. */
export type FamilyCounts = Readonly<Record<PhaseFamily, number>>;

/** A part of the graph. */
export interface Part {
  /** The name of its node, which is known before the node exists: a planned part and its node have the same key. */
  readonly key: string;
  readonly label: string;
  readonly kind: PartKind;
  /** The node; absent for planned parts, and for loops of steps, which have no node. */
  readonly node?: NodeStatus;
  readonly template: string;
  readonly family: PhaseFamily;
  readonly isPlanned: boolean;
  readonly members: readonly Part[];
  readonly edges: readonly PartEdge[];
  /** The attempts of a retried node, in order. */
  readonly attempts: readonly NodeStatus[];
  /** The leaves in it, including itself; artifacts do not count. */
  readonly counts: FamilyCounts;
  /** The number of parts in it, including itself. */
  readonly size: number;
  /** The number of items of a planned loop; absent if it is unknown before it runs. */
  readonly items?: number;
  readonly artifact?: PartArtifact;
  /** A description from the manifest, for parts of a template instead of a run, which have no phase. */
  readonly declared?: string;
}

/** Yields a part and all parts in it, outer ones first. */
export function* partsIn(part: Part): Generator<Part> {
  const ahead = [part];
  for (let part = ahead.pop(); part; part = ahead.pop()) {
    yield part;
    for (let index = part.members.length - 1; index >= 0; index--) ahead.push(part.members[index]!);
  }
}

/** Returns the parts from the outermost one to the one with `key`; empty if it does not exist. */
export function pathTo(part: Part, key: string): readonly Part[] {
  if (part.key === key) return [part];
  for (const member of part.members) {
    const way = pathTo(member, key);
    if (way.length) return [part, ...way];
  }
  return [];
}
