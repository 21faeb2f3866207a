/** Copies the libraries of a program to another root file system. */

/**
 * Copies the libraries of a program, and its loader, into a folder, except those that another folder contains. Returns
 * the name of the loader; undefined if `ldd` or a loader is missing. @throws if it cannot write.
 */
export async function copyLibraries(
  program: string,
  folder: string,
  except: readonly string[] = [],
): Promise<string | undefined> {
  const { success, stdout } = await new Deno.Command("ldd", { args: [program], stderr: "null" }).output()
    .catch(() => ({ success: false, stdout: new Uint8Array() }));
  if (!success) return undefined;
  const libraries = new Set(new TextDecoder().decode(stdout).match(/\/\S+/g) ?? []);
  const names = await Promise.all([...libraries].map(async (path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (!except.includes(name)) await Deno.copyFile(await Deno.realPath(path), `${folder}/${name}`);
    return name;
  }));
  const loader = names.find((name) => /^ld-(linux|musl)/.test(name));
  if (loader !== undefined && !except.includes(loader)) await Deno.chmod(`${folder}/${loader}`, 0o755);
  return loader;
}
