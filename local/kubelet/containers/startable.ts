/**
 * Checks what no kernel would start. It is refused before it is processed, since it may be meant to exhaust the memory
 * of this process.
 */

import { MAX_ARGUMENT_BYTES, MAX_ARGUMENTS_BYTES, MAX_PATH_BYTES } from "../limits.ts";
import type { ContainerSpec } from "../runtime/runtime.ts";

/** No kernel can start the container as specified. The message quotes no values, since they may be secret. */
export class CannotStartError extends Error {
  override readonly name = "CannotStart";
}

/** @throws {CannotStartError} if an argument, variable or path exceeds the limits of Linux. */
export function checkStartable({ command, env, mounts, workingDir = "" }: ContainerSpec): void {
  let sum = 0;
  const check = (subject: string, text: string, max: number) => {
    const bytes = byteLength(text, max);
    sum += bytes;
    if (bytes > max) throw new CannotStartError(`${subject} has more than ${max} bytes`);
    if (text.includes("\0")) throw new CannotStartError(`${subject} contains a NUL character`);
  };
  for (const [place, word] of command.entries()) check(`word ${place} of the command`, word, MAX_ARGUMENT_BYTES);
  for (const [name, value] of env) {
    check(`the name of a variable`, name, MAX_ARGUMENT_BYTES);
    if (name === "" || name.includes("=")) {
      throw new CannotStartError(`invalid variable name ${JSON.stringify(name.slice(0, 100))}`);
    }
    check(`variable ${name.slice(0, 100)}`, `${name}=${value}`, MAX_ARGUMENT_BYTES);
  }
  if (sum > MAX_ARGUMENTS_BYTES) {
    throw new CannotStartError(`the command and the variables have more than ${MAX_ARGUMENTS_BYTES} bytes`);
  }
  check("the working folder", workingDir, MAX_PATH_BYTES);
  for (const { target, below = "" } of mounts) {
    check(`the path ${target.slice(0, 100)} of a mount`, target, MAX_PATH_BYTES);
    check(`the subPath of the volume at ${target.slice(0, 100)}`, below, MAX_PATH_BYTES);
  }
}

/** The size of a text in bytes. A text with more than `max` characters is not encoded, since it is too long anyway. */
function byteLength(text: string, max: number): number {
  return text.length > max ? text.length : new TextEncoder().encode(text).length;
}
