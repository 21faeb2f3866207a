import { isThere } from "@tiphys/base/is_there";

/**
 * Removes a folder that a container may have written to, regardless of its depth, size and modes. Does nothing if it
 * does not exist.
 *
 * It runs `rm`: a recursive function, such as that of the runtime, overflows the stack at about ten thousand nested
 * folders and crashes this process.
 * @throws {Error} if something is left.
 */
export async function removeTree(path: string): Promise<void> {
  if (!isThere(path)) return;
  if (Deno.build.os === "windows") return await Deno.remove(path, { recursive: true });
  const args = ["-rf", "--", path];
  if (await runSucceeds("rm", args)) return;
  await runSucceeds("chmod", ["-R", "u+rwx", "--", path]);
  if (await runSucceeds("rm", args) && !isThere(path)) return;
  throw new Error(`Could not remove ${path}: rm did not remove everything`);
}

async function runSucceeds(program: string, args: readonly string[]): Promise<boolean> {
  const quiet = { stdin: "null", stdout: "null", stderr: "null" } as const;
  return (await new Deno.Command(program, { args: [...args], ...quiet }).output()).success;
}
