/** Parts thinned out for a picture that has no room for all: each family by itself, so that none disappears. Pure. */
import { FAMILIES, type Family } from "../phase.ts";

/** The families that are looked for: they are thinned out last. */
const FAILED: ReadonlySet<Family> = new Set(["failed", "error"]);

/** At most about so many parts, by family: what failed is kept, up to half of them, and of the rest a share of each. */
export function thinned<T>(
  parts: readonly T[],
  familyOf: (part: T) => Family,
  most: number,
): ReadonlyMap<Family, readonly T[]> {
  let failed = 0;
  for (const part of parts) if (FAILED.has(familyOf(part))) failed++;
  const room = Math.max(1, Math.floor(most / 2));
  const steps = {
    failed: stepOf(failed, parts.length <= most ? failed : room),
    other: stepOf(parts.length - failed, most - Math.min(failed, room)),
  };
  const kept = new Map(FAMILIES.map((family) => [family, { seen: 0, parts: [] as T[] }]));
  for (const part of parts) {
    const family = familyOf(part);
    const own = kept.get(family)!;
    if (own.seen++ % (FAILED.has(family) ? steps.failed : steps.other) === 0) own.parts.push(part);
  }
  return new Map([...kept].filter(([, { seen }]) => seen > 0).map(([family, { parts }]) => [family, parts]));
}

/** The step at which no more are taken, of so many, than there is room for. */
function stepOf(count: number, room: number): number {
  return Math.max(1, Math.ceil(count / Math.max(1, room)));
}
