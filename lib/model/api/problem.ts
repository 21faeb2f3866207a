/** Reading an object that may have any shape, where it enters. */
import type { Parsed } from "./parse.ts";
import { formatFieldError } from "@tiphys/base/field_error";

/** The reason why an object that is there cannot be read as its kind: a fact, in words for whoever refers to it. */
export class Problem {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** An object as its kind, or why it is none. */
export type Read<Type> = Type | Problem;

/** Whether an object could not be read. */
export function isProblem(read: unknown): read is Problem {
  return read instanceof Problem;
}

/** The object that was parsed, or its first error with the place, after `what`. */
export function readAs<Type>(parsed: Parsed<Type>, what: string): Read<Type> {
  return parsed.ok ? parsed.value : new Problem(`${what}: ${parsed.errors.slice(0, 1).map(formatFieldError).join()}`);
}
