/** The Debian packages whose files are in the images, for the bill of materials. */
import { hasProgram, outputOf } from "./command.ts";

/** A package of a distribution. */
export interface SystemPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  /** The ID of the distribution, such as `debian`. */
  readonly distribution: string;
}

/**
 * The packages that are named in `share/doc` of the roots of images, sorted by name, in the version of this machine.
 * `folder` contains the roots. Empty without dpkg.
 */
export async function imagePackages(folder: string): Promise<SystemPackage[]> {
  if (!await hasProgram("dpkg-query")) return [];
  const names = new Set<string>();
  for await (const root of Deno.readDir(folder)) {
    const docs = await Array.fromAsync(Deno.readDir(`${folder}/${root.name}/share/doc`)).catch(() => []);
    for (const { name } of docs) if (name !== "tiphys") names.add(name);
  }
  if (names.size === 0) return [];
  const distribution = /^ID="?([a-z0-9.-]+)/m.exec(await Deno.readTextFile("/etc/os-release"))?.[1] ?? "debian";
  const format = "${Package} ${Version} ${Architecture}\n";
  const text = await outputOf(["dpkg-query", "--show", `--showformat=${format}`, ...[...names].sort()]);
  return text.trim().split("\n").map((line) => {
    const [name = "", version = "", architecture = ""] = line.split(" ");
    return { name, version, architecture, distribution };
  });
}
