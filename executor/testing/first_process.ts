/** Processes that are the first of a namespace, as the executor is in its container. */

/** The command prefix that makes a command the first process of a new namespace. */
export const AS_FIRST: readonly string[] = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];

/** Whether this machine allows a process to become the first of a new namespace. */
export async function canBeFirst(): Promise<boolean> {
  const [program = "", ...args] = [...AS_FIRST, "true"];
  try {
    return (await new Deno.Command(program, { args, stderr: "null" }).output()).success;
  } catch {
    return false;
  }
}
