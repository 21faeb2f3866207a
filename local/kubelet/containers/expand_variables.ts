/** References `$(NAME)` in commands, arguments and values, filled in as Kubernetes does. */
import { LONGEST_WORD_BYTES, MOST_WORDS_BYTES } from "../limits.ts";
import { CannotStart } from "./startable.ts";

/** The bytes that the texts of one container may still take when references in them are filled in. */
export class Room {
  #left = MOST_WORDS_BYTES;

  /** @throws {CannotStart} for a text that is too long, or with which all are. */
  take(length: number): void {
    this.#left -= length;
    if (length > LONGEST_WORD_BYTES) throw tooLong("a text has", LONGEST_WORD_BYTES);
    if (this.#left < 0) throw tooLong("all texts have", MOST_WORDS_BYTES);
  }
}

function tooLong(what: string, limit: number): CannotStart {
  return new CannotStart(`with references filled in, ${what} more than ${limit} bytes`);
}

/**
 * Replaces `$(NAME)` by the variable's value, as Kubernetes does in commands, arguments and values: `$$` is one `$`,
 * and a reference to nothing stays as it is written. Takes time in proportion to the text.
 * @throws {CannotStart} for what would be longer than Linux takes.
 */
export function expandVariables(text: string, variables: ReadonlyMap<string, string>, room = new Room()): string {
  const parts: string[] = [];
  let from = 0;
  let length = 0;
  const add = (part: string) => {
    length += part.length;
    if (length > LONGEST_WORD_BYTES) throw tooLong("a text has", LONGEST_WORD_BYTES);
    parts.push(part);
  };
  const lastClose = text.lastIndexOf(")");
  for (let at = text.indexOf("$"); at >= 0; at = text.indexOf("$", from)) {
    add(text.slice(from, at));
    from = at + 1;
    if (text[from] === "(" && from < lastClose) {
      const close = text.indexOf(")", from);
      add(variables.get(text.slice(from + 1, close)) ?? text.slice(at, close + 1));
      from = close + 1;
    } else {
      add("$");
      if (text[from] === "$") from++;
    }
  }
  add(text.slice(from));
  room.take(length);
  return parts.join("");
}
