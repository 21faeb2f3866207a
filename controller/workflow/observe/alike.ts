/** Parts of objects in the local copies that say the same in many of them: one copy of such a part is enough for all. */
import { TextCache } from "@tiphys/base/text_cache";

/** The parts by their text; what is forgotten here stays with the objects that have it. */
const parts = new TextCache<object>({ entries: 2000, size: 1_000_000 });
/** A longer part is hardly ever that of another object too. */
const MOST_CHARACTERS = 1000;

/** Texts by themselves: names that an object has in six places, moments, versions. */
const texts = new TextCache<string>({ entries: 1000, size: 50_000 });
/** A text of another object's is hardly ever longer. */
const MOST_OF_TEXT = 64;
/** What lies deeper in an object stays as it is. */
const MOST_DEPTH = 6;

/** The very same part for all that say the same in the same order: to be read, never changed. */
export function alike<T extends object>(part: T): T {
  const text = JSON.stringify(part);
  if (text.length > MOST_CHARACTERS) return part;
  const known = parts.get(text);
  if (!known) parts.set(text, part);
  // A part of the same text was given out as the same type, or is of a shape that both types have.
  return (known ?? part) as T;
}

/** The object, in which each text is the very same one as in those before it that say the same. It is the caller's to change. */
export function withSharedTexts<T extends object>(object: T): T {
  share(object, 0);
  return object;
}

function share(object: object, depth: number): void {
  for (const [key, value] of Object.entries(object)) {
    if (typeof value === "string") Reflect.set(object, key, shared(value));
    else if (typeof value === "object" && value !== null && depth < MOST_DEPTH) share(value, depth + 1);
  }
}

function shared(text: string): string {
  if (text.length > MOST_OF_TEXT) return text;
  const known = texts.get(text);
  if (known === undefined) texts.set(text, text);
  return known ?? text;
}
