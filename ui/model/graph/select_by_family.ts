/**
 * Reduces parts to those that a small picture has space for, separately for each family, so that no family disappears.
 * Pure.
 */
import { FAMILIES, type PhaseFamily } from "../phase.ts";

/** The families that matter most: they are reduced last. */
const FAILED: ReadonlySet<PhaseFamily> = new Set(["failed", "error"]);

/** The maximum number of parts that are processed before yielding. */
const AT_ONCE = 2_000;

/**
 * Returns about `max` parts, by family: failed parts first, up to half of the space, and a share of each other family.
 */
export function* selectByFamily<T>(
  parts: readonly T[],
  familyOf: (part: T) => PhaseFamily,
  max: number,
): Generator<undefined, ReadonlyMap<PhaseFamily, readonly T[]>> {
  let failed = 0;
  for (let index = 0; index < parts.length; index++) {
    if (FAILED.has(familyOf(parts[index]!))) failed++;
    if (index % AT_ONCE === AT_ONCE - 1) yield;
  }
  const room = Math.max(1, Math.floor(max / 2));
  const steps = {
    failed: stepOf(failed, parts.length <= max ? failed : room),
    other: stepOf(parts.length - failed, max - Math.min(failed, room)),
  };
  const kept = new Map(FAMILIES.map((family) => [family, { seen: 0, parts: [] as T[] }]));
  for (let index = 0; index < parts.length; index++) {
    const family = familyOf(parts[index]!);
    const own = kept.get(family)!;
    if (own.seen++ % (FAILED.has(family) ? steps.failed : steps.other) === 0) own.parts.push(parts[index]!);
    if (index % AT_ONCE === AT_ONCE - 1) yield;
  }
  return new Map([...kept].filter(([, { seen }]) => seen > 0).map(([family, { parts }]) => [family, parts]));
}

/** Returns the step at which `count` parts are sampled to fit. */
function stepOf(count: number, room: number): number {
  return Math.max(1, Math.ceil(count / Math.max(1, room)));
}
