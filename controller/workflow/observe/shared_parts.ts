/** Deduplication of equal parts of objects in the local copies. */
import { TextCache } from "@tiphys/base/text_cache";

/** The parts by their text. A part that is evicted here remains in the objects that contain it. */
const parts = new TextCache<object>({ entries: 2000, size: 1_000_000 });
/** The maximum length of a part: longer ones rarely occur in another object. */
const MAX_CHARACTERS = 1000;

/** Single strings: names that occur repeatedly in an object, times, versions. */
const texts = new TextCache<string>({ entries: 1000, size: 50_000 });
/** The maximum length of a string: longer ones rarely occur in another object. */
const MAX_TEXT_CHARACTERS = 64;
/** The maximum depth: deeper parts of an object are left unchanged. */
const MAX_DEPTH = 6;

/** Returns the same object for all equal parts with the same order of keys. It must not be changed. */
export function sharedPart<T extends object>(part: T): T {
  const text = JSON.stringify(part);
  if (text.length > MAX_CHARACTERS) return part;
  const known = parts.get(text);
  if (!known) parts.set(text, part);
  // A part with the same text was returned as the same type, or has a shape that both types have.
  return (known ?? part) as T;
}

/** Returns the object with deduplicated strings. The caller may change the object. */
export function withSharedTexts<T extends object>(object: T): T {
  share(object, 0);
  return object;
}

function share(object: object, depth: number): void {
  for (const [key, value] of Object.entries(object)) {
    if (typeof value === "string") Reflect.set(object, key, internText(value));
    else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) share(value, depth + 1);
  }
}

function internText(text: string): string {
  if (text.length > MAX_TEXT_CHARACTERS) return text;
  const known = texts.get(text);
  if (known === undefined) texts.set(text, text);
  return known ?? text;
}
