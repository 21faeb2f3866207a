/**
 * The check of what no kernel would start: it is refused before anything is made of it, as it may be made to fill this
 * process's memory.
 */

import { LONGEST_PATH_BYTES, LONGEST_WORD_BYTES, MOST_WORDS_BYTES } from "../limits.ts";
import type { ContainerSpec } from "../runtime/runtime.ts";

/** The error for a container that no kernel starts as its pod wants it. It quotes no value, which may be a secret's. */
export class CannotStart extends Error {
  override readonly name = "CannotStart";
}

/** @throws {CannotStart} for words, variables and paths that Linux takes from nobody. */
export function checkStartable({ command, env, mounts, workingDir = "" }: ContainerSpec): void {
  let sum = 0;
  const check = (what: string, text: string, most: number) => {
    const bytes = byteLength(text, most);
    sum += bytes;
    if (bytes > most) throw new CannotStart(`${what} has more than ${most} bytes`);
    if (text.includes("\0")) throw new CannotStart(`${what} has a NUL in it, which ends a text`);
  };
  for (const [place, word] of command.entries()) check(`word ${place} of the command`, word, LONGEST_WORD_BYTES);
  for (const [name, value] of env) {
    check(`the name of a variable`, name, LONGEST_WORD_BYTES);
    if (name === "" || name.includes("=")) {
      throw new CannotStart(`a variable cannot be called ${JSON.stringify(name.slice(0, 100))}`);
    }
    check(`variable ${name.slice(0, 100)}`, `${name}=${value}`, LONGEST_WORD_BYTES);
  }
  if (sum > MOST_WORDS_BYTES) {
    throw new CannotStart(`the command and the variables have more than ${MOST_WORDS_BYTES} bytes`);
  }
  check("the working folder", workingDir, LONGEST_PATH_BYTES);
  for (const { target, below = "" } of mounts) {
    check(`the path ${target.slice(0, 100)} of a mount`, target, LONGEST_PATH_BYTES);
    check(`the subPath of the volume at ${target.slice(0, 100)}`, below, LONGEST_PATH_BYTES);
  }
}

/** The bytes of a text; one with more characters than it may have bytes is too long anyway, and is not read. */
function byteLength(text: string, most: number): number {
  return text.length > most ? text.length : new TextEncoder().encode(text).length;
}
