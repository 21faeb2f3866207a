const ENTRY = new URL("../../cli/main.ts", import.meta.url).pathname;

/** Our CLI as a command against one cluster. */
export function cliCommand(kubeconfig: string): string[] {
  return [Deno.execPath(), "run", "-A", "--no-check", ENTRY, "--kubeconfig", kubeconfig];
}
