import { bundle } from "../../scripts/bundle.ts";

/** Our CLI as a command against one cluster; bundled first, because the suite starts it many times. Disposing removes the bundle. */
export async function cliCommand(
  kubeconfig: string,
): Promise<AsyncDisposable & { readonly command: readonly string[] }> {
  const folder = await Deno.makeTempDir({ prefix: "tiphys-cli-" });
  await bundle({ entry: "cli/main.ts", outDir: folder });
  return {
    command: [Deno.execPath(), "run", "-A", "--no-config", `${folder}/main.js`, "--kubeconfig", kubeconfig],
    async [Symbol.asyncDispose]() {
      await Deno.remove(folder, { recursive: true });
    },
  };
}
