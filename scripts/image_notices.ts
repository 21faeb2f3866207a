/**
 * Licenses in the images: ours and those of bundled packages, and those of the Debian packages with files in an image.
 */
import { filePath } from "@tiphys/base/file_path";
import { hasProgram, runCommand } from "./command.ts";

const ROOT = filePath(import.meta.resolve("../"));
/** The license of the project and those of bundled packages, which every image and the npm package contain. */
export const LEGAL_FILES = ["LICENSE", "THIRD_PARTY_NOTICES.txt"];

/** Copies our license and the notices of bundled packages into the root of an image. */
export async function addNotices(root: string): Promise<void> {
  await Deno.mkdir(`${root}/share/doc/tiphys`, { recursive: true });
  for (const name of LEGAL_FILES) await Deno.copyFile(`${ROOT}${name}`, `${root}/share/doc/tiphys/${name}`);
}

/**
 * Copies copyright files of Debian packages into the root of an image: of those that own files of this machine, given
 * by path or pattern, and of named ones. A no-op without dpkg.
 */
export async function addCopyrights(
  root: string,
  files: readonly string[],
  packages: readonly string[] = [],
): Promise<void> {
  if (!await hasProgram("dpkg")) return;
  // A file without a package makes dpkg fail; it still names the packages of the others.
  const { stdout } = await runCommand(["dpkg", "-S", ...files]);
  const owners = [...stdout.matchAll(/^([a-z0-9][a-z0-9.+-]*)(?::\w+)?: \//gm)].map(([, name = ""]) => name);
  for (const name of new Set([...owners, ...packages])) {
    const text = await Deno.readFile(`/usr/share/doc/${name}/copyright`).catch(() => undefined);
    if (text === undefined) continue;
    await Deno.mkdir(`${root}/share/doc/${name}`, { recursive: true });
    await Deno.writeFile(`${root}/share/doc/${name}/copyright`, text);
  }
}
