/** Parts as rows without nodes, for sending a graph from the worker to the page in pieces. */
import type { NodeStatus } from "@tiphys/model/api";
import type { PhaseFamily } from "../phase.ts";
import { isSame } from "./changed_nodes.ts";
import { makePart } from "./make_part.ts";
import type { Part, PartArtifact, PartEdge, PartKind } from "./part.ts";

/** One part; its members come before it. */
export interface PartRow {
  readonly key: string;
  readonly label: string;
  readonly kind: PartKind;
  /** The ID of its node; the receiver already has the node. */
  readonly node: string | undefined;
  readonly template: string;
  readonly family: PhaseFamily;
  readonly isPlanned: boolean;
  /** The number of members: the last preceding parts that have no group yet. */
  readonly members: number;
  /** `from`, `to`, and 1 for a hook, for each edge. */
  readonly edges: Int32Array | undefined;
  readonly attempts: readonly string[] | undefined;
  readonly items: number | undefined;
  readonly artifact: PartArtifact | undefined;
}

/** Yields the rows of a part, inner ones first. */
export function* rowsOfPart(part: Part): Generator<PartRow> {
  for (const member of part.members) yield* rowsOfPart(member);
  yield {
    key: part.key,
    label: part.label,
    kind: part.kind,
    node: part.node?.id,
    template: part.template,
    family: part.family,
    isPlanned: part.isPlanned,
    members: part.members.length,
    edges: part.edges.length === 0 ? undefined : packEdges(part.edges),
    attempts: part.attempts.length === 0 ? undefined : part.attempts.map(({ id }) => id),
    items: part.items,
    artifact: part.artifact,
  };
}

function packEdges(edges: readonly PartEdge[]): Int32Array {
  const all = new Int32Array(edges.length * 3);
  edges.forEach(({ from, to, kind }, index) => all.set([from, to, kind === "hook" ? 1 : 0], index * 3));
  return all;
}

/** Rows as the difference from previous ones. */
export interface RowChanges {
  /** The index of each row among the previous ones; -1 for the next of the new rows. */
  readonly places: Int32Array<ArrayBuffer>;
  readonly rows: readonly PartRow[];
}

/** Returns the difference from previous rows; undefined if most differ, so that sending all is cheaper. */
export function rowChangesOf(
  before: readonly PartRow[],
  rows: readonly PartRow[],
  max: number,
): RowChanges | undefined {
  const places = new Int32Array(rows.length);
  const changed: PartRow[] = [];
  let byKey: Map<string, number> | undefined;
  let next = 0;
  for (const [offset, row] of rows.entries()) {
    let place: number | undefined = next;
    if (before[next]?.key !== row.key) {
      byKey ??= new Map(before.map(({ key }, index) => [key, index]));
      place = byKey.get(row.key);
    }
    const isKnown = place !== undefined && isSame(before[place], row);
    places[offset] = isKnown ? place! : -1;
    if (!isKnown && changed.push(row) >= max) return undefined;
    if (place !== undefined) next = place + 1;
  }
  return { places, rows: changed };
}

/** Restores rows from their difference. */
export function rowsOf({ places, rows: changed }: RowChanges, before: readonly PartRow[]): PartRow[] {
  const rows: PartRow[] = [];
  let next = 0;
  for (const place of places) rows.push(place < 0 ? changed[next++]! : before[place]!);
  return rows;
}

/**
 * Rebuilds parts from rows and the nodes of the run. Parts with the same row, nodes and members as before are reused.
 */
export class PartBuilder {
  readonly #nodes: Readonly<Record<string, NodeStatus>>;
  readonly #parts: WeakMap<PartRow, Part>;
  readonly #open: Part[] = [];

  constructor(nodes: Readonly<Record<string, NodeStatus>>, knownParts = new WeakMap<PartRow, Part>()) {
    this.#nodes = nodes;
    this.#parts = knownParts;
  }

  /** Adds the next row. @throws {Error} if its members are missing */
  add(row: PartRow): void {
    if (row.members > this.#open.length) throw new Error(`Expected ${row.members} members of ${row.key} before it`);
    const members = this.#open.splice(this.#open.length - row.members);
    const node = row.node === undefined ? undefined : this.#nodes[row.node];
    const attempts = row.attempts?.flatMap((id) => this.#nodes[id] ?? []);
    const known = this.#parts.get(row);
    if (known && known.node === node && areSame(known.members, members) && areSame(known.attempts, attempts ?? [])) {
      this.#open.push(known);
      return;
    }
    const part = makePart({ ...row, node, members, edges: row.edges && unpackEdges(row.edges), attempts });
    this.#parts.set(row, part);
    this.#open.push(part);
  }

  /** Returns the outermost part. @throws {Error} if rows are missing */
  outermostPart(): Part {
    const [whole] = this.#open;
    if (!whole || this.#open.length > 1) throw new Error(`Expected one part at the end, got ${this.#open.length}`);
    return whole;
  }
}

function areSame<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

function unpackEdges(edges: Int32Array): PartEdge[] {
  return Array.from({ length: edges.length / 3 }, (_, index) => ({
    from: edges[index * 3]!,
    to: edges[index * 3 + 1]!,
    kind: edges[index * 3 + 2] === 1 ? "hook" : "after",
  }));
}
