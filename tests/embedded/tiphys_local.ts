import { DENO_DIR } from "../argo_cli/argo_server.ts";
import { awaitFact } from "../await_fact.ts";

const ENTRY = new URL("../../cli/main.ts", import.meta.url).pathname;

/** Starts `tiphys local` with an empty folder and the caller's flags, as a separate process; disposal stops it. */
export async function startTiphysLocal(
  { flags = [], cache }: { readonly flags?: readonly string[]; readonly cache?: string } = {},
): Promise<AsyncDisposable & { readonly kubeconfig: string }> {
  const data = await Deno.makeTempDir({ dir: "/var/tmp", prefix: "kubectl-" });
  const kubeconfig = `${data}/kubeconfig`;
  const args = ["run", "-A", "--no-check", ENTRY, "local", "--data", data, ...flags];
  // The Deno cache stays the same.
  const env: Record<string, string> = cache === undefined ? {} : { XDG_CACHE_HOME: cache, DENO_DIR };
  const child = new Deno.Command(Deno.execPath(), { args, env, stdin: "null", stdout: "null", stderr: "inherit" })
    .spawn();
  await awaitFact("tiphys local wrote its kubeconfig", () => Deno.stat(kubeconfig).then(() => true), { seconds: 60 });
  return {
    kubeconfig,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await Deno.remove(data, { recursive: true });
    },
  };
}
