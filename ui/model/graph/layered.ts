/**
 * The layered layout of one group, in time linear in nodes and edges: ranks by longest path, dummies where an edge
 * crosses a rank, barycenter sweeps for the order, and isotonic placement. Ranks go from left to right.
 */
import { placeInOrder } from "./isotonic.ts";

/** The members of a group by index, and their edges. */
export interface LayeredInput {
  readonly widths: Float64Array;
  readonly heights: Float64Array;
  /** `from` and `to` of each edge, alternating. */
  readonly edges: Int32Array;
  /** The previous center positions across the ranks, which determine the order; NaN for a new node. */
  readonly former?: Float64Array | undefined;
}

/**
 * The upper left corners, the total size, and the intermediate points of each edge: an edge is horizontal within a rank
 * and bends between ranks.
 */
export interface LayeredLayout {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly width: number;
  readonly height: number;
  readonly bends: readonly (readonly number[])[];
}

const RANK_GAP = 48;
const GAP = 16;
const DUMMY_GAP = 8;
const SWEEPS = 6;
/** An edge that would exceed this number of dummies per node is drawn past the nodes. */
const DUMMIES_PER_NODE = 4;

/** Lays out a group. */
export function layLayered(input: LayeredInput): LayeredLayout {
  const ranks = ranksOf(input.widths.length, input.edges);
  const chains = insertDummies(input, ranks);
  const layers = orderLayers(chains, input);
  return placeNodes(chains, layers, input);
}

/** Adjacency lists, packed: the neighbors of `i` are at `starts[i]` up to `starts[i + 1]`. */
interface Neighbours {
  readonly starts: Int32Array;
  readonly list: Int32Array;
}

function neighbours(count: number, edges: Int32Array, side: 0 | 1): Neighbours {
  const starts = new Int32Array(count + 1);
  for (let i = side; i < edges.length; i += 2) starts[edges[i]! + 1]!++;
  for (let i = 0; i < count; i++) starts[i + 1]! += starts[i]!;
  const next = starts.slice();
  const list = new Int32Array(edges.length / 2);
  for (let i = side; i < edges.length; i += 2) list[next[edges[i]!]!++] = edges[i ^ 1]!;
  return { starts, list };
}

/**
 * Returns the longest path to each node; nodes on a cycle come after all others, in order. Start nodes are next to
 * their successors.
 */
function ranksOf(count: number, edges: Int32Array): Int32Array {
  const after = neighbours(count, edges, 0);
  const waits = new Int32Array(count);
  for (let i = 1; i < edges.length; i += 2) waits[edges[i]!]!++;
  const isStart = waits.map((wait) => wait === 0 ? 1 : 0);
  const ranks = new Int32Array(count);
  const queue = new Int32Array(count);
  let end = 0;
  for (let i = 0; i < count; i++) if (waits[i] === 0) queue[end++] = i;
  const isDone = new Uint8Array(count);
  for (let index = 0; index < count; index++) {
    if (index === end) { // A cycle is opened at its first node.
      const first = isDone.indexOf(0);
      queue[end++] = first;
      waits[first] = 0;
    }
    const box = queue[index]!;
    isDone[box] = 1;
    for (let i = after.starts[box]!; i < after.starts[box + 1]!; i++) {
      const next = after.list[i]!;
      if (isDone[next]) continue;
      ranks[next] = Math.max(ranks[next]!, ranks[box]! + 1);
      if (waits[next]! > 0 && --waits[next]! === 0) queue[end++] = next;
    }
  }
  for (let box = 0; box < count; box++) {
    if (!isStart[box] || after.starts[box] === after.starts[box + 1]) continue;
    let nearest = Infinity;
    for (let i = after.starts[box]!; i < after.starts[box + 1]!; i++) {
      nearest = Math.min(nearest, ranks[after.list[i]!]!);
    }
    ranks[box] = Math.max(0, nearest - 1);
  }
  return ranks;
}

/** Members and dummies with the edges between adjacent ranks. */
interface RankedEdges {
  readonly ranks: Int32Array;
  /** Edges between adjacent ranks. */
  readonly edges: Int32Array;
  /** The dummies of each input edge: the first, and one past the last. */
  readonly spans: Int32Array;
}

function insertDummies({ widths, edges }: LayeredInput, ranks: Int32Array): RankedEdges {
  const count = widths.length;
  const allRanks = [...ranks];
  const short: number[] = [];
  const spans = new Int32Array(edges.length);
  const max = count * (1 + DUMMIES_PER_NODE) + 1000;
  for (let i = 0; i < edges.length; i += 2) {
    const [from, to] = [edges[i]!, edges[i + 1]!];
    const length = ranks[to]! - ranks[from]!;
    spans[i] = spans[i + 1] = allRanks.length;
    if (length < 1 || allRanks.length + length > max) continue; // Backward on a cycle, or too long: a plain curve.
    let before = from;
    for (let step = 1; step < length; step++) {
      short.push(before, allRanks.length);
      before = allRanks.length;
      allRanks.push(ranks[from]! + step);
    }
    short.push(before, to);
    spans[i + 1] = allRanks.length;
  }
  return { ranks: Int32Array.from(allRanks), edges: Int32Array.from(short), spans };
}

function orderLayers(chains: RankedEdges, { former }: LayeredInput): Int32Array[] {
  const count = chains.ranks.length;
  const before = neighbours(count, chains.edges, 1);
  const after = neighbours(count, chains.edges, 0);
  const layers = layersOf(chains.ranks);
  const places = new Float64Array(count);
  const seeded = new Float64Array(count).fill(NaN);
  if (former) seeded.set(former);
  const isSeeded = former?.some((place) => !Number.isNaN(place)) ?? false;
  for (const layer of layers) {
    if (isSeeded) seedLayerOrder(layer, seeded, before);
    else if (layer !== layers[0]) sortLayerByMeans(layer, before, places);
    layer.forEach((box, index) => places[box] = index);
  }
  // A group that was laid out before keeps its order; only new nodes are placed.
  for (let sweep = 0; sweep < (isSeeded ? 0 : SWEEPS); sweep++) {
    const isDown = sweep % 2 === 1;
    for (let i = 0; i < layers.length; i++) {
      const layer = layers[isDown ? i : layers.length - 1 - i]!;
      sortLayerByMeans(layer, isDown ? before : after, places);
      layer.forEach((box, index) => places[box] = index);
    }
  }
  return layers;
}

function layersOf(ranks: Int32Array): Int32Array[] {
  const sizes: number[] = [];
  for (const rank of ranks) sizes[rank] = (sizes[rank] ?? 0) + 1;
  const layers = Array.from(sizes, (size = 0) => new Int32Array(size));
  const ends = new Int32Array(layers.length);
  for (let box = 0; box < ranks.length; box++) layers[ranks[box]!]![ends[ranks[box]!]!++] = box;
  return layers;
}

/** Sorts a layer by previous positions; a new node is placed at the mean of its predecessors. */
function seedLayerOrder(layer: Int32Array, seeded: Float64Array, before: Neighbours): void {
  for (const box of layer) {
    if (!Number.isNaN(seeded[box]!)) continue;
    let [sum, known] = [0, 0];
    for (let i = before.starts[box]!; i < before.starts[box + 1]!; i++) {
      const place = seeded[before.list[i]!]!;
      if (!Number.isNaN(place)) [sum, known] = [sum + place, known + 1];
    }
    if (known) seeded[box] = sum / known;
  }
  const key = (box: number) => Number.isNaN(seeded[box]!) ? Infinity : seeded[box]!;
  layer.sort((a, b) => key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a - b);
}

/** The longest layer that is sorted by insertion sort, because layers are nearly sorted after the first sweep. */
const SHORT_LAYER = 64;

/** Sorts a layer by the mean position of neighbors; a node without neighbors keeps its position. */
function sortLayerByMeans(layer: Int32Array, { starts, list }: Neighbours, places: Float64Array): void {
  const means = new Float64Array(layer.length);
  for (let index = 0; index < layer.length; index++) {
    const box = layer[index]!;
    const [from, to] = [starts[box]!, starts[box + 1]!];
    let sum = 0;
    for (let i = from; i < to; i++) sum += places[list[i]!]!;
    means[index] = to > from ? sum / (to - from) : index;
  }
  if (layer.length <= SHORT_LAYER) return insertByMeans(layer, means);
  const order = new Uint32Array(layer.length);
  for (let index = 0; index < order.length; index++) order[index] = index;
  order.sort((a, b) => means[a]! - means[b]! || a - b);
  const former = layer.slice();
  for (let index = 0; index < order.length; index++) layer[index] = former[order[index]!]!;
}

function insertByMeans(layer: Int32Array, means: Float64Array): void {
  for (let index = 1; index < layer.length; index++) {
    const [box, mean] = [layer[index]!, means[index]!];
    let to = index;
    for (; to > 0 && means[to - 1]! > mean; to--) {
      layer[to] = layer[to - 1]!;
      means[to] = means[to - 1]!;
    }
    layer[to] = box;
    means[to] = mean;
  }
}

function placeNodes(
  chains: RankedEdges,
  layers: readonly Int32Array[],
  { widths, heights, edges }: LayeredInput,
): LayeredLayout {
  const count = chains.ranks.length;
  const members = widths.length;
  const before = neighbours(count, chains.edges, 1);
  const after = neighbours(count, chains.edges, 0);
  const middles = new Float64Array(count);
  const gaps = layers.map((layer) => gapsOf(layer, heights, members));
  layers.forEach((layer, rank) => {
    let middle = 0;
    layer.forEach((box, index) => middles[box] = middle += gaps[rank]![index]!);
  });
  for (const sides of [[before], [after], [before, after], [before, after]]) {
    const isUp = sides[0] === after;
    for (let i = 0; i < layers.length; i++) {
      const rank = isUp ? layers.length - 1 - i : i;
      const layer = layers[rank]!;
      const wanted = new Float64Array(layer.length);
      const weights = new Float64Array(layer.length);
      for (let index = 0; index < layer.length; index++) {
        wanted[index] = meanOf(layer[index]!, sides, middles);
        // Dummies weigh more, so that edges across ranks are straight.
        weights[index] = layer[index]! < members ? 1 : 2;
      }
      const found = placeInOrder(wanted, gaps[rank]!, weights);
      layer.forEach((box, index) => middles[box] = found[index]!);
    }
  }
  return buildLayout(chains, layers, middles, { widths, heights, edges });
}

/** Returns the distances between centers along a layer; the first is 0. */
function gapsOf(layer: Int32Array, heights: Float64Array, members: number): Float64Array {
  const gaps = new Float64Array(layer.length);
  for (let index = 1; index < layer.length; index++) {
    const [a, b] = [layer[index - 1]!, layer[index]!];
    const gap = a < members && b < members ? GAP : DUMMY_GAP;
    gaps[index] = gap + ((heights[a] ?? 0) + (heights[b] ?? 0)) / 2;
  }
  return gaps;
}

function meanOf(box: number, sides: readonly Neighbours[], middles: Float64Array): number {
  let sum = 0;
  let count = 0;
  for (const { starts, list } of sides) {
    for (let i = starts[box]!; i < starts[box + 1]!; i++) {
      sum += middles[list[i]!]!;
      count++;
    }
  }
  return count ? sum / count : middles[box]!;
}

function buildLayout(
  chains: RankedEdges,
  layers: readonly Int32Array[],
  middles: Float64Array,
  { widths, heights, edges }: LayeredInput,
): LayeredLayout {
  const members = widths.length;
  let top = Infinity;
  for (let box = 0; box < members; box++) top = Math.min(top, middles[box]! - heights[box]! / 2);
  for (let box = members; box < middles.length; box++) top = Math.min(top, middles[box]!);
  const [x, y] = [new Float64Array(members), new Float64Array(members)];
  const [lefts, rights] = [new Float64Array(layers.length), new Float64Array(layers.length)];
  let [left, height] = [0, 0];
  layers.forEach((layer, rank) => {
    let widest = 0;
    for (const box of layer) if (box < members) widest = Math.max(widest, widths[box]!);
    for (const box of layer) {
      if (box < members) {
        x[box] = left;
        y[box] = Math.round(middles[box]! - heights[box]! / 2 - top);
        height = Math.max(height, y[box]! + heights[box]!);
      } else height = Math.max(height, middles[box]! - top);
    }
    [lefts[rank], rights[rank]] = [left, left + widest];
    left += widest + RANK_GAP;
  });
  const bends: number[][] = [];
  for (let i = 0; i < edges.length; i += 2) {
    const points: number[] = [];
    const [from, to] = [edges[i]!, edges[i + 1]!];
    const [rank, next] = [chains.ranks[from]!, chains.ranks[to]!];
    // Next to a wider part of its rank, an edge starts horizontally. Backward edges on a cycle are plain curves.
    if (rank < next && x[from]! + widths[from]! < rights[rank]!) {
      points.push(rights[rank]!, y[from]! + heights[from]! / 2);
    }
    for (let box = chains.spans[i]!; box < chains.spans[i + 1]!; box++) {
      const middle = Math.round(middles[box]! - top);
      points.push(lefts[chains.ranks[box]!]!, middle, rights[chains.ranks[box]!]!, middle);
    }
    bends.push(points);
  }
  return { x, y, width: Math.max(0, left - RANK_GAP), height, bends };
}
