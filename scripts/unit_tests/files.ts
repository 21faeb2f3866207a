/** The files of the unit tests: the list of them, which of them run long, and their spread over processes. */
import { fnv1a32 } from "@tiphys/base/go/hash";
import { outputOf } from "../command.ts";
import durations from "./durations.json" with { type: "json" };
import { LONG_TESTS } from "./long_tests.ts";
import { isOfPage } from "./sharing.ts";

/** Weight in milliseconds of a file whose duration is not recorded: most take less. */
const UNKNOWN_MILLIS = 300;

/** Files with examples in Markdown or in doc comments, which `deno test --doc` runs. */
const EXAMPLE = "^( \\* )?```(ts|js|typescript)( |$)";

/** Lists the test files below some paths (all without any): unit tests, and files with examples. */
export async function testFiles(root: string, paths: readonly string[]): Promise<string[]> {
  const git = async (...args: string[]) => {
    const listed = await outputOf(["git", ...args], { cwd: root }).catch((error) => {
      if (/ended with 1: $/.test(String(error.message))) return "";
      throw error;
    });
    return listed.split("\0").filter(Boolean);
  };
  const tests = await git(
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
    "--",
    "*_test.ts",
    "*_test.tsx",
  );
  const examples = await git("grep", "-zlE", "--untracked", EXAMPLE, "--", "*.ts", "*.tsx", "*.md");
  const all = [...new Set([...tests, ...examples])];
  const isThere = (file: string) => paths.length === 0 || paths.some((path) => isBelow(file, path));
  return all.filter((file) => isThere(file) && !/(^|\/)(testdata|gen)\//.test(file)).toSorted();
}

function isBelow(file: string, path: string): boolean {
  const plain = path.replace(/^\.\//, "").replace(/\/$/, "");
  return plain === "." || file === plain || file.startsWith(`${plain}/`);
}

/** Whether a file belongs to the long tests, which `deno task all` runs and `deno task ok` leaves out. */
export function isLong(file: string): boolean {
  return Object.hasOwn(LONG_TESTS, file);
}

/** The recorded duration of a file in milliseconds. */
export function millisOf(file: string): number {
  return (durations as Record<string, number>)[file] ?? UNKNOWN_MILLIS;
}

/** The options of {@link batchesOf}. */
export interface BatchOptions {
  /** Files to run first, in separate batches. */
  readonly urgent: ReadonlySet<string>;
  /** The duration of a batch, in milliseconds. */
  readonly millis: number;
  /** Spreads and orders the files at random, by this seed, instead of by path. */
  readonly seed?: number | undefined;
}

/**
 * Splits files into batches, one process each: files that are next to each other have most modules in common, and tests
 * of components are separate from others. Long batches come first, so that all processes end at about the same time.
 */
export function batchesOf(files: readonly string[], { urgent, millis, seed }: BatchOptions): string[][] {
  const isFirst = (file: string) => seed === undefined && urgent.has(file);
  const key = (file: string) => seed === undefined ? file : fnv1a32(`${seed} ${file}`);
  const groups = [files.filter(isOfPage), files.filter((file) => !isOfPage(file))];
  const batches = groups.flatMap((group) => {
    const rest = group.filter((file) => !isFirst(file)).toSorted((a, b) => key(a) < key(b) ? -1 : 1);
    return split(rest, millis);
  });
  const sorted = seed === undefined ? batches.toSorted((a, b) => b.millis - a.millis) : batches;
  const first = groups.map((group) => group.filter(isFirst));
  return [...first, ...sorted.map(({ files }) => files)].filter((batch) => batch.length > 0);
}

/** Splits files in order into batches of a duration. */
function split(files: readonly string[], max: number): { readonly files: string[]; readonly millis: number }[] {
  const batches: { files: string[]; millis: number }[] = [];
  for (const file of files) {
    const last = batches.at(-1);
    if (last === undefined || last.millis + millisOf(file) > max) {
      batches.push({ files: [file], millis: millisOf(file) });
    } else {
      last.files.push(file);
      last.millis += millisOf(file);
    }
  }
  return batches;
}
