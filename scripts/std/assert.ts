/**
 * The assertions of `@std/assert` that our tests use, under the same names and over `node:assert`, for places where
 * jsr cannot be reached. To use the original, point `@std/assert` in `deno.json` at `jsr:@std/assert`.
 */
import { AssertionError, deepStrictEqual, notDeepStrictEqual } from "node:assert";

export { AssertionError };

/** Fails unless `condition` is truthy. */
export function assert(condition: unknown, message = "Expected a truthy value"): asserts condition {
  if (!condition) throw new AssertionError({ message });
}

/** Fails unless both are equal by value and structure. */
export function assertEquals<T>(actual: T, expected: T, message?: string): void {
  deepStrictEqual(actual, expected, message);
}

/** Fails if both are equal by value and structure. */
export function assertNotEquals<T>(actual: T, expected: T, message?: string): void {
  notDeepStrictEqual(actual, expected, message);
}

/** Fails unless both are the same value (`Object.is`). */
export function assertStrictEquals<T>(actual: unknown, expected: T, message?: string): asserts actual is T {
  if (!Object.is(actual, expected)) {
    throw new AssertionError({ message, actual, expected, operator: "strictEqual" });
  }
}

/** Fails if `actual` is null or undefined. */
export function assertExists<T>(actual: T, message = "Expected a value"): asserts actual is NonNullable<T> {
  if (actual === undefined || actual === null) throw new AssertionError({ message, actual });
}

/** Fails unless `actual` contains `expected`. */
export function assertStringIncludes(actual: string, expected: string, message?: string): void {
  if (!actual.includes(expected)) {
    throw new AssertionError({
      message: message ?? `Expected ${JSON.stringify(actual)} to contain ${JSON.stringify(expected)}`,
    });
  }
}

/** Fails unless `actual` matches `expected`. */
export function assertMatch(actual: string, expected: RegExp, message?: string): void {
  if (!expected.test(actual)) {
    throw new AssertionError({ message: message ?? `Expected ${JSON.stringify(actual)} to match ${expected}` });
  }
}

/** Fails if `actual` matches `expected`. */
export function assertNotMatch(actual: string, expected: RegExp, message?: string): void {
  if (expected.test(actual)) {
    throw new AssertionError({ message: message ?? `Expected ${JSON.stringify(actual)} not to match ${expected}` });
  }
}

// deno-lint-ignore no-explicit-any -- the constructor's own parameters do not matter, as in @std/assert
type ErrorClass<E extends Error> = abstract new (...args: any[]) => E;

function checkError<E extends Error>(error: unknown, type: ErrorClass<E> | undefined, includes: string | undefined): E {
  if (!(error instanceof Error)) throw new AssertionError({ message: `Expected an Error, got ${String(error)}` });
  if (type && !(error instanceof type)) {
    throw new AssertionError({ message: `Expected a ${type.name}, got ${error.constructor.name}: ${error.message}` });
  }
  if (includes !== undefined) assertStringIncludes(error.message, includes);
  return error as E;
}

/** Fails unless `fn` throws (an error of `type` whose message contains `includes`); returns that error. */
export function assertThrows<E extends Error = Error>(fn: () => unknown, type?: ErrorClass<E>, includes?: string): E {
  try {
    fn();
  } catch (error) {
    return checkError(error, type, includes);
  }
  throw new AssertionError({ message: "Expected the function to throw" });
}

/** As assertThrows, for a function that returns a promise. */
export async function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  type?: ErrorClass<E>,
  includes?: string,
): Promise<E> {
  try {
    await fn();
  } catch (error) {
    return checkError(error, type, includes);
  }
  throw new AssertionError({ message: "Expected the promise to reject" });
}

/** Fails always: for a place that must not be reached. */
export function fail(message = "Failed"): never {
  throw new AssertionError({ message });
}
