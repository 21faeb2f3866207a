/**
 * The cost curve of a shape at an entry: the CPU time of the thread at n, 4n and 16n characters, and the memory
 * retained afterwards. CPU time is the kernel's for this thread, so that other work of the machine is not counted.
 */
import { threadMillis } from "../../../controller/workflow/lane/work_clock.ts";
import { garbageCollector } from "../../../lib/base/testing/garbage_collector.ts";
import type { CostEntry } from "./entries.ts";
import type { Shape } from "./shapes.ts";

/** CPU time may grow as n^1.3, which is a factor of 36 from n to 16n; the square would be 256. */
const MAX_GROWTH = 1.3;
/** CPU time below this is within the resolution of the kernel's clock. */
const MIN_MILLIS = 40;
/** Memory may grow to 20 times the text, plus this constant. */
const MAX_TIMES = 20;
const FREE_BYTES = 16 << 20;
/** A shape that grows too fast is measured again: a garbage collection may have been included. */
const TRIES = 3;

/** The measurement of a shape. */
export interface CostCurve {
  /** The length of the largest text, in characters. */
  readonly size: number;
  /** CPU time in milliseconds at n, 4n and 16n. */
  readonly millis: readonly [number, number, number];
  /** Bytes that are retained at 16n. */
  readonly held: number;
  /** The reason why the shape costs too much; undefined when it does not. */
  readonly problem?: string;
}

/** Measures a shape, at larger sizes up to the entry's bound while the CPU time is too small to measure. */
export function costCurve(entry: CostEntry, shape: Shape): CostCurve {
  let n = entry.smallest;
  for (;; n *= 4) {
    const millis = measureEntry(entry, shape(16 * n));
    if (millis >= MIN_MILLIS || 64 * n > entry.largest) break;
  }
  let curve = measure(entry, shape, n);
  for (let again = 1; again < TRIES && curve.problem !== undefined; again++) curve = measure(entry, shape, n);
  return curve;
}

function measure(entry: CostEntry, shape: Shape, n: number): CostCurve {
  const sizes = [n, 4 * n, 16 * n];
  const twice = (size: number) => Math.min(measureEntry(entry, shape(size)), measureEntry(entry, shape(size)));
  const millis = sizes.map(twice) as [number, number, number];
  const text = shape(16 * n);
  const held = heldBytes(() => entry.run(text));
  return { size: text.length, millis, held, problem: problemOf(millis, held, text.length) };
}

function problemOf([small, , large]: CostCurve["millis"], held: number, size: number): string | undefined {
  const growth = Math.log(large / Math.max(small, MIN_MILLIS / 16)) / Math.log(16);
  if (large > MIN_MILLIS && growth > MAX_GROWTH) {
    return `work grows as n^${growth.toFixed(2)}: ${Math.round(small)} ms, then ${
      Math.round(large)
    } ms for 16 times the text`;
  }
  if (held <= MAX_TIMES * size + FREE_BYTES) return undefined;
  return `${Math.round(held / 2 ** 20)} MiB are held of a text of ${size} characters`;
}

function measureEntry({ run }: CostEntry, text: string): number {
  const begun = threadMillis();
  run(text);
  return threadMillis() - begun;
}

const collect = garbageCollector();

/** The bytes of the heap that a result retains after garbage collection. */
function heldBytes(make: () => unknown): number {
  collect();
  const before = Deno.memoryUsage().heapUsed;
  const result = [make()];
  collect();
  const held = Deno.memoryUsage().heapUsed - before;
  // The result is used after the second collection, which must not free it.
  return result.length * Math.max(0, held);
}
