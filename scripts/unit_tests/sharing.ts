/**
 * Test files that share a module graph (`shared.ts`): which files do, how their tests are collected, and their names.
 */

import { LONG_TESTS } from "./long_tests.ts";

/** The file that loads others, relative to the root of the project. */
export const SHARED = "scripts/unit_tests/shared.ts";

/** The environment variable with the files to load: a JSON array of paths relative to the root of the project. */
export const SHARED_FILES = "SHARED_TEST_FILES";

/** A test, as `Deno.test` accepts it. */
export type Definition = Deno.TestDefinition;

const MEASURES_HEAP = "measures its heap many times, which takes long if other files are in it";

/** Files that do not share their graph, each with the reason. */
const SEPARATE: Readonly<Record<string, string>> = {
  "tests/hostile/costs/cost_curve_test.ts": MEASURES_HEAP,
  "tests/hostile/costs/costs_test.ts": MEASURES_HEAP,
};

/** Whether a file shares its graph with others. Files with examples, long tests and {@link SEPARATE} files do not. */
export function isShared(file: string): boolean {
  return /_test\.tsx?$/.test(file) && !Object.hasOwn(LONG_TESTS, file) && !Object.hasOwn(SEPARATE, file);
}

/**
 * Whether a file tests components. Such files need a separate process: they change the global object into that of a
 * page, at which other code recognizes a browser.
 */
export function isOfPage(file: string): boolean {
  return file.endsWith("_test.tsx");
}

/** The start of the names of the tests of a file that shares its graph. */
export function prefixOf(file: string, tests: number): string {
  return `${file} (${tests}): `;
}

/** Splits the name of a test at its {@link prefixOf}; undefined for a name without such a prefix. */
export function parsePrefix(
  name: string,
): { readonly file: string; readonly tests: number; readonly name: string } | undefined {
  const [, file, tests, rest] = /^([^\s']+_test\.tsx?) \((\d+)\): (.*)$/.exec(name) ?? [];
  return file === undefined ? undefined : { file, tests: Number(tests), name: rest! };
}

/**
 * Runs `load` and returns the tests that it defines instead of registering them. Hooks such as `Deno.test.beforeAll`
 * are not defined meanwhile: a file that uses them fails.
 */
export async function collectTests(load: () => Promise<unknown>): Promise<readonly Definition[]> {
  const definitions: Definition[] = [];
  const { test } = Deno;
  const collect = (more: Partial<Definition>) => (...args: unknown[]) => {
    definitions.push({ ...definitionOf(args), ...more });
  };
  const replacement = Object.assign(collect({}), { ignore: collect({ ignore: true }), only: collect({ only: true }) });
  Object.defineProperty(Deno, "test", { value: replacement, configurable: true, writable: true });
  try {
    await load();
  } finally {
    Object.defineProperty(Deno, "test", { value: test, configurable: true, writable: true });
  }
  return definitions;
}

/** The definition that arguments of `Deno.test` make up, in each of its forms. */
function definitionOf(args: readonly unknown[]): Definition {
  const names = args.filter((arg) => typeof arg === "string");
  const functions = args.filter((arg) => typeof arg === "function") as Definition["fn"][];
  const options: Partial<Definition> = Object.assign({}, ...args.filter((arg) => typeof arg === "object"));
  const fn = functions[0] ?? options.fn;
  if (fn === undefined) throw new TypeError("Deno.test was called without a function");
  return { ...options, name: names[0] ?? options.name ?? fn.name, fn };
}
