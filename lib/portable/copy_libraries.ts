/** Copies the libraries of a program to another root file system. */

/**
 * Copies the libraries of a program, and its loader, into a folder, except those that another folder contains. Returns
 * the name of the loader; undefined if it is unknown, such as that of a static program. @throws if it cannot write.
 */
export async function copyLibraries(
  program: string,
  folder: string,
  except: readonly string[] = [],
): Promise<string | undefined> {
  const libraries = new Set((await listLibraries(program)).match(/\/\S+/g) ?? []);
  const names = await Promise.all([...libraries].map(async (path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (!except.includes(name)) await Deno.copyFile(await Deno.realPath(path), `${folder}/${name}`);
    return name;
  }));
  const loader = names.find((name) => /^ld-(linux|musl)/.test(name));
  if (loader !== undefined && !except.includes(loader)) await Deno.chmod(`${folder}/${loader}`, 0o755);
  return loader;
}

/** Returns the output of `ldd`, or of the loader if `ldd` is missing; empty if both fail. */
async function listLibraries(program: string): Promise<string> {
  const lists = [
    { command: "ldd", args: [program] },
    // glibc's loader lists the libraries instead of starting the program, which is what its `ldd` does.
    { command: program, args: ["--version"], env: { LD_TRACE_LOADED_OBJECTS: "1" } },
  ];
  for (const { command, ...options } of lists) {
    try {
      const { success, stdout } = await new Deno.Command(command, { ...options, stderr: "null" }).output();
      return success ? new TextDecoder().decode(stdout) : "";
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return "";
}
