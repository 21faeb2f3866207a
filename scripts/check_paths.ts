/**
 * Fails when a tracked file names a folder of the machine it was written on: such a path is right on one machine only.
 *
 *     deno task paths
 */
import { outputOf } from "./command.ts";

const MACHINE_FOLDER = /(?<![\w.$}/])\/(?:work|root|home|Users)\/[\w.]/;

/** The numbers of the lines, from 1, that name a folder of somebody's machine. */
export function linesWithMachinePaths(text: string): number[] {
  return text.split("\n").flatMap((line, index) => MACHINE_FOLDER.test(line) ? [index + 1] : []);
}

if (import.meta.main) {
  const root = new URL("../", import.meta.url);
  const files = (await outputOf(["git", "ls-files", "-z"], { cwd: root.pathname })).split("\0").filter(Boolean);
  let found = 0;
  for (const file of files) {
    if (file === "scripts/check_paths_test.ts") continue;
    const bytes = await Deno.readFile(new URL(file, root)).catch(() => new Uint8Array());
    if (bytes.includes(0)) continue;
    for (const line of linesWithMachinePaths(new TextDecoder().decode(bytes))) {
      console.error(`${file}:${line}: names a folder of one machine`);
      found++;
    }
  }
  if (found > 0) Deno.exit(1);
}
