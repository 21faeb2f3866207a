import { hasProgram, outputOf } from "../../scripts/command.ts";
import { clusterPrograms, clusterSettings } from "../cluster/mod.ts";
import { layOutShims } from "../images/mod.ts";
import { Kubectl } from "../install/mod.ts";
import { cliCommand } from "./cli.ts";
import { layOutPrograms } from "./images.ts";
import type { CaseResult } from "./known_failures.ts";
import { applySuiteObjects, SERVICES, startServicesAt } from "./namespace.ts";
import { onPreparedMachine } from "./prepared_machine.ts";
import { runSuite, type SuiteRun } from "./runner.ts";

const NAMESPACE = "argo";
const ROOT = new URL("../../", import.meta.url).pathname;

/**
 * What is not there: containers share this machine, and no scheduler, network or memory limit stands between them; nobody
 * makes the pods of a Job.
 */
const LACKING = ["layout:legacy", "scheduler", "one-node", "memory-limits", "net", "dns", "k8s:*", "rbac:jobs"];

/** Runs the suite on the embedded cluster, whose containers see this machine's programs and the suite's. */
export async function runOnEmbedded(
  options: Pick<SuiteRun, "suite" | "cases" | "only" | "options">,
): Promise<CaseResult[]> {
  if (Deno.uid() !== 0) {
    throw new Error("The suite's programs are laid over this machine's in a mount namespace: that takes root");
  }
  const folder = await Deno.makeTempDir({ dir: "/var/tmp", prefix: "embedded-" });
  await using _folder = { [Symbol.asyncDispose]: async () => void await outputOf(["rm", "-rf", folder]) };
  const kubeconfig = `${folder}/kubeconfig`;
  await using _server = await startServer(options.suite, folder, kubeconfig);
  const program = await hasProgram("kubectl") ? "kubectl" : `${await clusterPrograms(clusterSettings())}/kubectl`;
  const kubectl = new Kubectl([program, "--kubeconfig", kubeconfig]);
  await applySuiteObjects(kubectl, NAMESPACE, options.suite);
  await using _services = await startServicesAt({ address: "127.0.0.1", command: [] }, {
    kubectl,
    suite: options.suite,
  });
  const where = { kubectl: kubectl.command, namespace: NAMESPACE, lack: LACKING, cli: cliCommand(kubeconfig) };
  return await runSuite({ ...options, ...where });
}

/** Starts the embedded cluster on a machine with the suite's programs; its log is `build/embedded.log`. Disposing ends it. */
async function startServer(suite: string, folder: string, kubeconfig: string): Promise<AsyncDisposable> {
  const shims = `${folder}/shims`;
  for (const name of ["room", "data"]) await Deno.mkdir(`${folder}/${name}`);
  await layOutShims(shims);
  await layOutPrograms(`${suite}/setup/image`, shims);
  await Deno.rename(`${shims}/argosay`, `${shims}/usr/local/bin/argosay`);
  await Deno.writeTextFile(`${shims}/usr/local/bin/python`, '#!/bin/sh\nexec python3 "$@"\n', { mode: 0o755 });
  const names = SERVICES.map(({ name }) => `127.0.0.1 ${name}\n`);
  await Deno.writeTextFile(`${folder}/hosts`, `127.0.0.1 localhost\n${names.join("")}`);
  const machine = { room: `${folder}/room`, programs: `${shims}/usr/local/bin`, hosts: `${folder}/hosts` };
  const server = ["run", "-A", "tests/conformance/embedded_server.ts"];
  const settings = `${suite}/setup/controller-configmap.yaml`;
  const [first, ...rest] = [
    ...onPreparedMachine(machine),
    Deno.execPath(),
    ...server,
    `${folder}/data`,
    settings,
    kubeconfig,
  ];
  await Deno.mkdir(`${ROOT}build`, { recursive: true });
  const log = await Deno.open(`${ROOT}build/embedded.log`, { create: true, write: true, truncate: true });
  const child = new Deno.Command(first, { args: rest, cwd: ROOT, stdin: "piped", stdout: "piped", stderr: "piped" })
    .spawn();
  const logged = child.stderr.pipeTo(log.writable);
  const said = child.stdout.getReader();
  if ((await said.read()).done) throw new Error("The embedded cluster did not start; see build/embedded.log");
  return {
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await child.status;
      await said.cancel();
      await logged;
    },
  };
}
