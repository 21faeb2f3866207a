/** The result of parsing an object of unknown shape. */
import type { ParseResult } from "./parse.ts";
import { formatFieldError } from "@tiphys/base/field_error";

/**
 * The reason why an existing object cannot be parsed as its kind. It is a fact, with a message for objects that refer
 * to it.
 */
export class Problem {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** A parsed object, or the reason why it cannot be parsed. */
export type ReadResult<Type> = Type | Problem;

/** Whether an object could not be parsed. */
export function isProblem(read: unknown): read is Problem {
  return read instanceof Problem;
}

/** Returns the parsed object, or its first error with its place, after `what`. */
export function readAs<Type>(parsed: ParseResult<Type>, what: string): ReadResult<Type> {
  return parsed.ok ? parsed.value : new Problem(`${what}: ${parsed.errors.slice(0, 1).map(formatFieldError).join()}`);
}
