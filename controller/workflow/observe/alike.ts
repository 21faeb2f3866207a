/** Parts of objects in the local copies that say the same in many of them: one copy of such a part is enough for all. */
import { Kept } from "../../../lib/kept.ts";

/** The parts by their text; what is forgotten here stays with the objects that have it. */
const parts = new Kept<object>({ entries: 2000, size: 1_000_000 });
/** A longer part is hardly ever that of another object too. */
const MOST_CHARACTERS = 1000;

/** The very same part for all that say the same in the same order: to be read, never changed. */
export function alike<T extends object>(part: T): T {
  const text = JSON.stringify(part);
  if (text.length > MOST_CHARACTERS) return part;
  const known = parts.get(text);
  if (!known) parts.set(text, part);
  // A part of the same text was given out as the same type, or is of a shape that both types have.
  return (known ?? part) as T;
}
