import { isThere } from "@tiphys/base/is_there";

/**
 * Removes a folder that a container may have written to, however deep and wide it is, and whatever rights the container
 * has taken from itself in it. Nothing happens where there is none.
 *
 * It takes a process: a function that removes folders by calling itself, as the runtime's does, has no stack left for
 * some ten thousand of them in each other, and the whole process ends with that.
 * @throws {Error} when something stays.
 */
export async function removeTree(path: string): Promise<void> {
  if (!isThere(path)) return;
  if (Deno.build.os === "windows") return await Deno.remove(path, { recursive: true });
  const args = ["-rf", "--", path];
  if (await succeeds("rm", args)) return;
  await succeeds("chmod", ["-R", "u+rwx", "--", path]);
  if (await succeeds("rm", args) && !isThere(path)) return;
  throw new Error(`Could not remove ${path}: rm left something of it`);
}

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  const quiet = { stdin: "null", stdout: "null", stderr: "null" } as const;
  return (await new Deno.Command(program, { args: [...args], ...quiet }).output()).success;
}
