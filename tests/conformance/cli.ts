const ENTRY = new URL("./suite_cli.ts", import.meta.url).pathname;

/** Our CLI as a command of the suite for one cluster. */
export function cliCommand(kubeconfig: string): string[] {
  return [Deno.execPath(), "run", "-A", "--no-check", ENTRY, "--kubeconfig", kubeconfig];
}
