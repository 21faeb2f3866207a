/**
 * Fails when a tracked file contains a folder of the machine on which it was written, cites a numbered paragraph that
 * is not in the tree, or names a source file that does not exist.
 *
 *     deno task check paths
 */
import { outputOf } from "./command.ts";

const MACHINE_FOLDER = /(?<![\w.$}/])\/(?:work|root|home|Users)\/[\w.]/;

/** The line numbers, from 1, that contain a folder of a user's machine. */
export function linesWithMachinePaths(text: string): number[] {
  return text.split("\n").flatMap((line, index) => MACHINE_FOLDER.test(line) ? [index + 1] : []);
}

/** Numbered paragraphs of texts outside of the tree. */
const OUTSIDE_CITATION = /\b(?:spec\/[a-z]+ \d|features? [A-Z]+-\d|design decision \d)/;

/** The line numbers, from 1, that cite paragraphs that are not in the tree. */
export function linesWithOutsideCitations(text: string): number[] {
  return text.split("\n").flatMap((line, index) => OUTSIDE_CITATION.test(line) ? [index + 1] : []);
}

/**
 * Source files that a text names between backticks, with a folder, and that do not exist, with their lines, from 1.
 * `files` are the paths of the tree.
 */
export function namesOfNoFile(text: string, files: readonly string[]): [line: number, name: string][] {
  return text.split("\n").flatMap((line, index) =>
    [...line.matchAll(/`((?:[a-z_]+\/)+[a-z_]+\.ts)`/g)].map(([, name = ""]) => name)
      .filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)))
      .map((name): [number, string] => [index + 1, name])
  );
}

if (import.meta.main) {
  const root = new URL("../", import.meta.url);
  const files = (await outputOf(["git", "ls-files", "-z"], { cwd: root.pathname })).split("\0").filter(Boolean);
  let found = 0;
  for (const file of files) {
    if (file === "scripts/check_paths_test.ts") continue;
    const bytes = await Deno.readFile(new URL(file, root)).catch(() => new Uint8Array());
    if (bytes.includes(0)) continue;
    const text = new TextDecoder().decode(bytes);
    const problems = [
      ...linesWithMachinePaths(text).map((line) => `${line}: names a folder of one machine`),
      ...linesWithOutsideCitations(text).map((line) => `${line}: cites a paragraph that is not in the tree`),
    ];
    if (/\.(ts|md)$/.test(file)) {
      problems.push(...namesOfNoFile(text, files).map(([line, name]) => `${line}: names ${name}, which is not there`));
    }
    for (const problem of problems) console.error(`${file}:${problem}`);
    found += problems.length;
  }
  if (found > 0) Deno.exit(1);
}
