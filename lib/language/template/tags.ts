/** Finds the tags of a text: the text between `{{` and the next `}}`. */
import { TemplateError } from "./error.ts";

/** A text split at its tags: `texts[0] tags[0] texts[1] tags[1] … texts[n]`; tags are without their braces. */
export interface Segments {
  readonly texts: readonly string[];
  readonly tags: readonly string[];
  /** For each tag that a value was inserted into: the tag with that value masked, because no tag begins in a value. */
  readonly masks?: readonly (string | undefined)[];
}

/**
 * Splits a text at its tags.
 * @throws {TemplateError} when a `{{` has no `}}` after it.
 */
export function findTags(text: string): Segments {
  const texts: string[] = [];
  const tags: string[] = [];
  let from = 0;
  while (true) {
    const open = text.indexOf("{{", from);
    if (open < 0) break;
    const close = text.indexOf("}}", open + 2);
    if (close < 0) {
      const rest = text.slice(open + 2);
      throw new TemplateError(`Cannot find end tag="}}" in the template="${text}" starting from "${rest}"`, {
        place: { source: text, offset: open, hint: "expected }} after it" },
      });
    }
    texts.push(text.slice(from, open));
    tags.push(text.slice(open + 2, close));
    from = close + 2;
  }
  texts.push(text.slice(from));
  return { texts, tags };
}

/** Reports whether every `{{` of a text is closed within it. */
export function isClosed(text: string): boolean {
  let from = 0;
  while (true) {
    const open = text.indexOf("{{", from);
    if (open < 0) return true;
    const close = text.indexOf("}}", open + 2);
    if (close < 0) return false;
    from = close + 2;
  }
}
