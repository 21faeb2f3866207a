/** Filters a graph, groups parts by template, and adds artifacts as parts. Pure. */
import type { NodeStatus } from "@tiphys/model/api";
import { placeOf, storeTextOf } from "@tiphys/model/artifact/location";
import { textFinder } from "./find.ts";
import { makePart } from "./make_part.ts";
import { type GraphShape, isFiltered, SHAPE_FILTERS, type ShapeFilter } from "./graph_shape.ts";
import { type Part, type PartEdge, partsIn } from "./part.ts";
import { lookOfPart } from "./part_look.ts";

/** The value of a part for each filter; may be empty. */
const WORD_OF: Readonly<Record<ShapeFilter, (part: Part) => string>> = {
  phases: (part) => lookOfPart(part).word,
  // The loop of a step has no node; that of a task has a TaskGroup.
  types: ({ node, kind, isPlanned }) => node?.type ?? (kind === "loop" && !isPlanned ? "TaskGroup" : ""),
  templates: ({ template }) => template,
};

/** A value of a filter, with the number of parts that have it. */
export interface FilterWord {
  readonly word: string;
  readonly count: number;
}

/** Returns the values that parts of a graph have for a filter, most frequent first. */
export function wordsOfFilter(whole: Part, filter: ShapeFilter): FilterWord[] {
  const counts = new Map<string, number>();
  for (const part of partsIn(whole)) {
    const word = part === whole ? "" : WORD_OF[filter](part);
    if (word !== "") counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => ({ word, count }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1));
}

/** Returns the values that a filter offers: the most frequent ones, and the selected ones even if no part has them. */
export function offeredFilterWords(
  words: readonly FilterWord[],
  chosen: readonly string[],
  max: number,
): FilterWord[] {
  const known = new Set(words.map(({ word }) => word));
  return [
    ...words.filter(({ word }, index) => index < max || chosen.includes(word)),
    ...[...new Set(chosen)].filter((word) => !known.has(word)).map((word) => ({ word, count: 0 })),
  ];
}

/** Applies the choices to a graph. The outermost part remains even if it becomes empty. */
export function shapeGraph(whole: Part, shape: GraphShape): Part {
  const filtered = isFiltered(shape)
    ? replaceMembers(whole, matchingMembers(whole, matcherOf(shape)), remainingEdges)
    : whole;
  const room = { artifacts: MAX_ARTIFACTS };
  const full = shape.withArtifacts ? withArtifacts(filtered, room) : filtered;
  return shape.isGrouped ? groupMembers(full) : full;
}

/** Returns the keys of the parts that match the filters, without those that only contain a match. */
export function matchingKeys(whole: Part, shape: GraphShape): Set<string> {
  const isMatch = matcherOf(shape);
  const keys = new Set<string>();
  for (const part of partsIn(whole)) if (part !== whole && isMatch(part)) keys.add(part.key);
  return keys;
}

function matcherOf(shape: GraphShape): (part: Part) => boolean {
  const hasText = textFinder(shape.text);
  return (part) =>
    SHAPE_FILTERS.every((filter) => shape[filter].length === 0 || shape[filter].includes(WORD_OF[filter](part))) &&
    hasText(part);
}

/** Returns the members that match or contain a match, by their index. */
function matchingMembers(part: Part, isMatch: (part: Part) => boolean): Map<number, Part> {
  const kept = new Map<number, Part>();
  for (const [place, member] of part.members.entries()) {
    const inner = matchingMembers(member, isMatch);
    if (inner.size > 0 || isMatch(member)) kept.set(place, replaceMembers(member, inner, remainingEdges));
  }
  return kept;
}

function replaceMembers(
  part: Part,
  members: ReadonlyMap<number, Part>,
  edgesOf: (part: Part, places: ReadonlyMap<number, number>) => PartEdge[],
): Part {
  if (members.size === part.members.length && [...members].every(([place, member]) => part.members[place] === member)) {
    return part;
  }
  const places = new Map([...members.keys()].map((place, index) => [place, index]));
  return makePart({ ...part, members: [...members.values()], edges: edgesOf(part, places) });
}

/** The maximum number of edges from left out parts that are followed in one group. */
const MAX_STEPS = 100_000;

/** Returns the edges between the remaining parts, including those through parts that were left out. */
function remainingEdges({ members, edges }: Part, places: ReadonlyMap<number, number>): PartEdge[] {
  if (places.size === 0) return [];
  const after: PartEdge[][] = members.map(() => []);
  for (const edge of edges) after[edge.from]!.push(edge);
  const found: PartEdge[] = [];
  let steps = 0;
  for (const [place, from] of places) {
    const seen = new Set<number>([place]);
    const open = [...after[place]!];
    for (let edge = open.pop(); edge; edge = open.pop()) {
      if (seen.has(edge.to)) continue;
      seen.add(edge.to);
      const to = places.get(edge.to);
      if (to !== undefined) found.push({ from, to, kind: edge.kind });
      else if (steps + after[edge.to]!.length <= MAX_STEPS) {
        steps += after[edge.to]!.length;
        for (const next of after[edge.to]!) open.push(next);
      }
    }
  }
  return found;
}

/** Returns the length of the longest path to each member; undefined for members of a cycle. */
function depthsOf({ members, edges }: Part): (number | undefined)[] {
  const after: number[][] = members.map(() => []);
  const open = new Int32Array(members.length);
  for (const { from, to } of edges) {
    after[from]!.push(to);
    open[to]!++;
  }
  const depths = new Int32Array(members.length);
  const done: (number | undefined)[] = members.map(() => undefined);
  const ready = members.flatMap((_, index) => open[index] === 0 ? [index] : []);
  for (let place = ready.pop(); place !== undefined; place = ready.pop()) {
    done[place] = depths[place];
    for (const to of after[place]!) {
      depths[to] = Math.max(depths[to]!, depths[place]! + 1);
      if (--open[to]! === 0) ready.push(to);
    }
  }
  return done;
}

/** Groups members with the same template and depth. Edges lead to greater depths, so there are no cycles. */
function groupMembers(part: Part): Part {
  const members = part.members.map(groupMembers);
  const isSame = members.every((member, index) => member === part.members[index]);
  const own = isSame ? part : makePart({ ...part, members });
  if (part.kind === "loop" || members.length < 2) return own;
  const depths = depthsOf(part);
  const groups = new Map<string, number[]>();
  for (const [place, { template, kind }] of members.entries()) {
    const isAlone = kind === "artifact" || template === "" || depths[place] === undefined;
    const key = isAlone ? `${place}` : `${template} ${depths[place]}`;
    if (groups.has(key)) groups.get(key)!.push(place);
    else groups.set(key, [place]);
  }
  if (groups.size === members.length) return own;
  const groupOf = new Map(
    [...groups.values()].flatMap((places, group) => places.map((place) => [place, group] as const)),
  );
  const seen = new Set<number>();
  const edges = part.edges.flatMap(({ from, to, kind }) => {
    const [a, b] = [groupOf.get(from)!, groupOf.get(to)!];
    const pair = a * groups.size + b;
    if (a === b || seen.has(pair)) return [];
    seen.add(pair);
    return [{ from: a, to: b, kind }];
  });
  const parts = [...groups].map(([key, places]): Part => {
    const inner = places.map((place) => members[place]!);
    const { template } = inner[0]!;
    return inner.length === 1 ? inner[0]! : makePart({
      key: `${part.key}×${key}`,
      label: `${template} ×${inner.length}`,
      kind: "group",
      template,
      isPlanned: inner.every(({ isPlanned }) => isPlanned),
      members: inner,
    });
  });
  return makePart({ ...part, members: parts, edges });
}

/** The maximum number of artifacts that are drawn in a graph, and for one side of a node. */
const MAX_ARTIFACTS = 20_000;
const MAX_OF_SIDE = 50;

/**
 * Adds artifacts next to the members of each group that produce or use them; an artifact that connects two members is
 * shared.
 */
function withArtifacts(part: Part, room: { artifacts: number }): Part {
  const members = part.members.map((member) => withArtifacts(member, room));
  const isSame = members.every((member, index) => member === part.members[index]);
  const plain = isSame ? part : makePart({ ...part, members });
  const depths = depthsOf(part);
  const edges: PartEdge[] = [];
  // Dependencies that an artifact already shows get no separate edge.
  const carried = new Set<number>();
  const all: Part[] = [...members];
  const made = new Map<string, { readonly place: number; readonly depth: number; readonly from: number }>();
  const add = (node: NodeStatus, side: "inputs" | "outputs", own: number, depth: number) => {
    const use = (artifact: number) => {
      const [from, to] = side === "outputs" ? [own, artifact] : [artifact, own];
      edges.push({ from, to, kind: "after" });
    };
    for (const artifact of artifactsOfSide(node, side)) {
      const { address } = artifact;
      const known = side === "inputs" ? made.get(address) : undefined;
      if (known && known.depth < depth) {
        use(known.place);
        carried.add(known.from * members.length + own);
        continue;
      }
      if (room.artifacts-- <= 0) return;
      const place = all.push(artifactPart(node, side, artifact)) - 1;
      if (side === "outputs" && !made.has(address)) made.set(address, { place, depth, from: own });
      use(place);
    }
  };
  const each = (side: "inputs" | "outputs") => {
    for (const [place, { node, attempts }] of members.entries()) {
      const depth = depths[place];
      // Outputs of a retried node are those of its last attempt.
      const holder = side === "outputs" ? attempts.at(-1) ?? node : node;
      if (!holder || depth === undefined) continue;
      add(holder, side, place, depth);
    }
  };
  each("outputs");
  each("inputs");
  if (edges.length === 0) return plain;
  const others = part.edges.filter(({ from, to }) => !carried.has(from * members.length + to));
  return makePart({ ...part, members: all, edges: [...others, ...edges] });
}

interface SideArtifact {
  readonly name: string;
  readonly key: string;
  /** Its store and key: different buckets may contain the same key. */
  readonly address: string;
}

/** Returns the artifacts of one side of a node, without logs saved by the executor. */
function artifactsOfSide(node: NodeStatus, side: "inputs" | "outputs"): SideArtifact[] {
  return (node[side]?.artifacts ?? []).slice(0, MAX_OF_SIDE)
    .filter(({ name }) => !name.endsWith("-logs"))
    .map((artifact) => {
      const place = placeOf(artifact);
      const key = place?.key || `${node.id}/${artifact.name}`;
      return { name: artifact.name, key, address: place ? `${storeTextOf(place)} ${key}` : key };
    });
}

function artifactPart(node: NodeStatus, side: "inputs" | "outputs", { name, key }: SideArtifact): Part {
  const file = key.split("/").findLast((segment) => segment !== "") ?? "";
  return makePart({
    key: `artifact:${node.name}:${side}:${name}`,
    label: name,
    kind: "artifact",
    family: "idle",
    artifact: { nodeId: node.id, side, name, file },
  });
}
