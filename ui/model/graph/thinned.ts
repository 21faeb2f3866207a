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
  const families = Map.groupBy(parts, familyOf);
  const failed = parts.reduce((sum, part) => sum + Number(FAILED.has(familyOf(part))), 0);
  const room = Math.max(1, Math.floor(most / 2));
  const steps = {
    failed: stepOf(failed, parts.length <= most ? failed : room),
    other: stepOf(parts.length - failed, most - Math.min(failed, room)),
  };
  return new Map(FAMILIES.flatMap((family) => {
    const own = families.get(family);
    if (!own) return [];
    const step = FAILED.has(family) ? steps.failed : steps.other;
    return [[family, own.filter((_, at) => at % step === 0)] as const];
  }));
}

/** The step at which no more are taken, of so many, than there is room for. */
function stepOf(count: number, room: number): number {
  return Math.max(1, Math.ceil(count / Math.max(1, room)));
}
