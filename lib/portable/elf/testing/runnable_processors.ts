/** The processors whose programs this machine can run: its own, and those that an installed qemu emulates. */

export interface RunnableProcessor {
  /** The name in `Deno.build.arch`. */
  readonly arch: string;
  /** The command line before a program, such as an emulator; empty if it runs natively. */
  readonly command: readonly string[];
}

const ALL = ["x86_64", "aarch64"] as const;

/** Empty if this machine does not run Linux programs. */
export async function runnableProcessors(): Promise<RunnableProcessor[]> {
  if (Deno.build.os !== "linux") return [];
  const found: RunnableProcessor[] = [];
  for (const arch of ALL) {
    if (arch === Deno.build.arch) found.push({ arch, command: [] });
    else {for (const name of [`qemu-${arch}`, `qemu-${arch}-static`]) {
        if (await isInstalled(name)) found.push({ arch, command: [name] });
      }}
  }
  return found;
}

async function isInstalled(program: string): Promise<boolean> {
  try {
    return (await new Deno.Command(program, { args: ["--version"], stdout: "null" }).output()).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
