/** Removes a folder in which a container may have taken rights from itself. */
export async function removeTree(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    await new Deno.Command("chmod", { args: ["-R", "u+rwx", path], stdout: "null", stderr: "null" }).output();
    await Deno.remove(path, { recursive: true });
  }
}
