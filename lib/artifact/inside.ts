/** An archive comes from anywhere: nothing in it may reach outside of the folder that it is unpacked to. */

/**
 * The path of an entry below `folder`.
 * @throws {Error} when it would lie outside.
 */
export function entryPath(folder: string, name: string): string {
  const parts = withoutDots(name.split("/"));
  if (!parts || name.startsWith("/")) throw new Error(`illegal file path in archive: ${name}`);
  return [folder, ...parts].join("/");
}

/**
 * Checks the target of a link that is to stand at `path`.
 * @throws {Error} when it leads outside of `folder`.
 */
export function checkLinkTarget(folder: string, path: string, target: string): void {
  const above = path.slice(folder.length + 1).split("/").slice(0, -1);
  if (!target.startsWith("/") && withoutDots([...above, ...target.split("/")])) return;
  throw new Error(`illegal symlink target in archive: ${path.slice(folder.length + 1)} -> ${target}`);
}

/**
 * Makes the folder of an entry, and sees where it really is: links of the same archive may each stay inside and lead
 * outside together.
 */
export async function makeParent(folder: string, path: string): Promise<void> {
  const parent = path.slice(0, path.lastIndexOf("/"));
  await Deno.mkdir(parent, { recursive: true });
  const [real, root] = await Promise.all([Deno.realPath(parent), Deno.realPath(folder)]);
  if (real !== root && !real.startsWith(`${root}/`)) {
    throw new Error(`illegal file path in archive: ${path.slice(folder.length + 1)} leads outside by a link`);
  }
}

/** The steps of a relative path; undefined when they lead above its start. */
function withoutDots(steps: readonly string[]): string[] | undefined {
  const kept: string[] = [];
  for (const step of steps) {
    if (step === "" || step === ".") continue;
    if (step !== "..") kept.push(step);
    else if (kept.pop() === undefined) return undefined;
  }
  return kept;
}
