import { awaitFact } from "../await_fact.ts";

const ENTRY = new URL("../../cli/main.ts", import.meta.url).pathname;

/** `tiphys local` over an empty folder, as a process of its own; disposing ends it. */
export async function startTiphysLocal(): Promise<AsyncDisposable & { readonly kubeconfig: string }> {
  const data = await Deno.makeTempDir({ dir: "/var/tmp", prefix: "kubectl-" });
  const kubeconfig = `${data}/kubeconfig`;
  const args = ["run", "-A", "--no-check", ENTRY, "local", "--data", data];
  const child = new Deno.Command(Deno.execPath(), { args, stdin: "null", stdout: "null", stderr: "inherit" }).spawn();
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
