/** Parts as rows without nodes: how a graph goes from the thread that makes it to the one that shows it, piece by piece. */
import type { NodeStatus } from "../../../lib/api/mod.ts";
import type { Family } from "../phase.ts";
import { makePart } from "./make_part.ts";
import type { Part, PartArtifact, PartEdge, PartKind } from "./part.ts";

/** One part; its members stand before it. */
export interface PartRow {
  readonly key: string;
  readonly label: string;
  readonly kind: PartKind;
  /** The id of its node; the node itself is there already where the row goes. */
  readonly node: string | undefined;
  readonly template: string;
  readonly family: Family;
  readonly isPlanned: boolean;
  /** The number of its members: they are the last parts before it that have no holder yet. */
  readonly members: number;
  /** `from`, `to`, and 1 for a hook, of each edge. */
  readonly edges: Int32Array | undefined;
  readonly attempts: readonly string[] | undefined;
  readonly items: number | undefined;
  readonly artifact: PartArtifact | undefined;
}

/** The rows of a part, inner ones first. */
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
    edges: part.edges.length === 0 ? undefined : packed(part.edges),
    attempts: part.attempts.length === 0 ? undefined : part.attempts.map(({ id }) => id),
    items: part.items,
    artifact: part.artifact,
  };
}

function packed(edges: readonly PartEdge[]): Int32Array {
  const all = new Int32Array(edges.length * 3);
  edges.forEach(({ from, to, kind }, at) => all.set([from, to, kind === "hook" ? 1 : 0], at * 3));
  return all;
}

/** Puts parts together again from their rows, with the nodes of the run that they were made from. */
export class PartBuilder {
  readonly #nodes: Readonly<Record<string, NodeStatus>>;
  readonly #open: Part[] = [];

  constructor(nodes: Readonly<Record<string, NodeStatus>>) {
    this.#nodes = nodes;
  }

  /** Takes the next row. @throws {Error} for one whose members did not come. */
  add({ node, members, edges, attempts, ...facts }: PartRow): void {
    if (members > this.#open.length) throw new Error(`Expected ${members} members of ${facts.key} before it`);
    this.#open.push(makePart({
      ...facts,
      node: node === undefined ? undefined : this.#nodes[node],
      members: this.#open.splice(this.#open.length - members),
      edges: edges && unpacked(edges),
      attempts: attempts?.flatMap((id) => this.#nodes[id] ?? []),
    }));
  }

  /** The part that holds all others. @throws {Error} before all rows came. */
  whole(): Part {
    const [whole] = this.#open;
    if (!whole || this.#open.length > 1) throw new Error(`Expected one part at the end, got ${this.#open.length}`);
    return whole;
  }
}

function unpacked(edges: Int32Array): PartEdge[] {
  return Array.from({ length: edges.length / 3 }, (_, at) => ({
    from: edges[at * 3]!,
    to: edges[at * 3 + 1]!,
    kind: edges[at * 3 + 2] === 1 ? "hook" : "after",
  }));
}
