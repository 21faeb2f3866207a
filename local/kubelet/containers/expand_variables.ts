/** Expands references `$(NAME)` in commands, arguments and values, as Kubernetes does. */
import { MAX_ARGUMENT_BYTES, MAX_ARGUMENTS_BYTES } from "../limits.ts";
import { CannotStartError } from "./startable.ts";

/** The bytes that remain for the expanded texts of one container. */
export class ByteBudget {
  #left = MAX_ARGUMENTS_BYTES;

  /** @throws {CannotStartError} if a text, or the sum of all texts, is too long. */
  take(length: number): void {
    this.#left -= length;
    if (length > MAX_ARGUMENT_BYTES) throw tooLong("an argument or variable has", MAX_ARGUMENT_BYTES);
    if (this.#left < 0) throw tooLong("all arguments and variables have", MAX_ARGUMENTS_BYTES);
  }
}

function tooLong(subject: string, limit: number): CannotStartError {
  return new CannotStartError(`after expansion of references, ${subject} more than ${limit} bytes`);
}

/**
 * Replaces `$(NAME)` by the variable's value, as Kubernetes does: `$$` is a literal `$`, and unknown references are
 * kept. Takes time linear in the text.
 * @throws {CannotStartError} if the result would be longer than Linux allows.
 */
export function expandVariables(text: string, variables: ReadonlyMap<string, string>, room = new ByteBudget()): string {
  const parts: string[] = [];
  let from = 0;
  let length = 0;
  const add = (part: string) => {
    length += part.length;
    if (length > MAX_ARGUMENT_BYTES) throw tooLong("an argument or variable has", MAX_ARGUMENT_BYTES);
    parts.push(part);
  };
  const lastClose = text.lastIndexOf(")");
  for (let index = text.indexOf("$"); index >= 0; index = text.indexOf("$", from)) {
    add(text.slice(from, index));
    from = index + 1;
    if (text[from] === "(" && from < lastClose) {
      const close = text.indexOf(")", from);
      add(variables.get(text.slice(from + 1, close)) ?? text.slice(index, close + 1));
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
