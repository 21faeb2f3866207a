/** Parts thinned out for a picture that has no room for all: each family by itself, so that none disappears. Pure. */
import { FAMILIES, type Family } from "../phase.ts";

/** The families that are looked for: they are thinned out last. */
const FAILED: ReadonlySet<Family> = new Set(["failed", "error"]);

/** Parts that are looked at before each `yield`, at which others may have the thread. */
const AT_ONCE = 2_000;

/** At most about so many parts, by family: what failed is kept, up to half of them, and of the rest a share of each. */
export function* thinned<T>(
  parts: readonly T[],
  familyOf: (part: T) => Family,
  most: number,
): Generator<undefined, ReadonlyMap<Family, readonly T[]>> {
  let failed = 0;
  for (let at = 0; at < parts.length; at++) {
    if (FAILED.has(familyOf(parts[at]!))) failed++;
    if (at % AT_ONCE === AT_ONCE - 1) yield;
  }
  const room = Math.max(1, Math.floor(most / 2));
  const steps = {
    failed: stepOf(failed, parts.length <= most ? failed : room),
    other: stepOf(parts.length - failed, most - Math.min(failed, room)),
  };
  const kept = new Map(FAMILIES.map((family) => [family, { seen: 0, parts: [] as T[] }]));
  for (let at = 0; at < parts.length; at++) {
    const family = familyOf(parts[at]!);
    const own = kept.get(family)!;
    if (own.seen++ % (FAILED.has(family) ? steps.failed : steps.other) === 0) own.parts.push(parts[at]!);
    if (at % AT_ONCE === AT_ONCE - 1) yield;
  }
  return new Map([...kept].filter(([, { seen }]) => seen > 0).map(([family, { parts }]) => [family, parts]));
}

/** The step at which no more are taken, of so many, than there is room for. */
function stepOf(count: number, room: number): number {
  return Math.max(1, Math.ceil(count / Math.max(1, room)));
}
