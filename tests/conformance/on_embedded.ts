/** The suite on the embedded cluster, and the requirements that it does not meet. */
import { ImageStore } from "../../local/image/image_store.ts";
import { imageStoreOptions } from "../../local/image/machine_settings.ts";
import { hasProgram, outputOf } from "../../scripts/command.ts";
import { clusterPrograms, clusterSettings } from "../cluster/mod.ts";
import { loadLayout } from "../images/mod.ts";
import { Kubectl } from "../install/mod.ts";
import { cliCommand } from "./cli.ts";
import { suiteImages } from "./images.ts";
import type { CaseResult } from "./known_failures.ts";
import { applySuiteObjects, startServicesAt } from "./namespace.ts";
import { placeCases } from "./placed_cases.ts";
import { recordWorkflows } from "./recorded_workflows.ts";
import { runSuite, type SuiteRun } from "./runner.ts";

const NAMESPACE = "argo";
const ROOT = new URL("../../", import.meta.url).pathname;

/**
 * The features that the embedded cluster lacks: pods share this machine without a scheduler, a network or memory
 * limits, and no controller creates the pods of a Job.
 */
const LACKING = [
  "layout:legacy",
  "scheduler",
  "one-node",
  "memory-limits",
  "net",
  "dns",
  "k8s:PodLevelResources",
  "rbac:jobs",
];

/** Runs the suite on the embedded cluster, with containers in the suite's images. */
export async function runOnEmbedded(
  options: Pick<SuiteRun, "suite" | "cases" | "only" | "knownFailures" | "options">,
): Promise<CaseResult[]> {
  const folder = await Deno.makeTempDir({ dir: "/var/tmp", prefix: "embedded-" });
  await using _folder = { [Symbol.asyncDispose]: async () => void await outputOf(["rm", "-rf", folder]) };
  const kubeconfig = `${folder}/kubeconfig`;
  await loadIntoStore(options.suite, `${folder}/data/cache`);
  await using _server = await startServer(options.suite, folder, kubeconfig);
  const program = await hasProgram("kubectl") ? "kubectl" : `${await clusterPrograms(clusterSettings())}/kubectl`;
  const kubectl = new Kubectl([program, "--kubeconfig", kubeconfig]);
  await applySuiteObjects(kubectl, { namespace: NAMESPACE, suite: options.suite, address: "127.0.0.1" });
  await using _services = await startServicesAt({ address: "127.0.0.1", command: [] }, {
    kubectl,
    suite: options.suite,
  });
  await using _record = await recordWorkflows("embedded", { kubeconfig, namespace: NAMESPACE });
  const where = { kubectl: kubectl.command, namespace: NAMESPACE, lack: LACKING, cli: cliCommand(kubeconfig) };
  const cases = await placeCases(options.cases ?? options.suite, `${folder}/cases`, "127.0.0.1");
  return await runSuite({ ...options, cases, ...where });
}

/** Stores the suite's images where an embedded cluster with this cache finds them. */
async function loadIntoStore(suite: string, cacheDir: string): Promise<void> {
  const store = new ImageStore(await imageStoreOptions(cacheDir));
  for (const image of await suiteImages({ suite, cache: clusterSettings().cache })) await loadLayout(store, image);
}

/** Starts the embedded cluster; its log is `build/embedded.log`. Disposal stops it. */
async function startServer(suite: string, folder: string, kubeconfig: string): Promise<AsyncDisposable> {
  const server = ["run", "-A", "tests/conformance/embedded_server.ts"];
  const settings = `${suite}/setup/controller-configmap.yaml`;
  const args = [...server, `${folder}/data`, settings, kubeconfig];
  await Deno.mkdir(`${ROOT}build`, { recursive: true });
  const log = await Deno.open(`${ROOT}build/embedded.log`, { create: true, write: true, truncate: true });
  const streams = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
  const child = new Deno.Command(Deno.execPath(), { args, cwd: ROOT, ...streams }).spawn();
  const logged = child.stderr.pipeTo(log.writable);
  const output = child.stdout.getReader();
  if ((await output.read()).done) throw new Error("The embedded cluster did not start; see build/embedded.log");
  return {
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await child.status;
      await output.cancel();
      await logged;
    },
  };
}
