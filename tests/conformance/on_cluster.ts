/** The suite on a real cluster. */
import { clusterSettings } from "../cluster/mod.ts";
import { findCluster, install, restartController } from "../install/mod.ts";
import type { CrdSet } from "../../scripts/gen_crd.ts";
import { cliCommand } from "./cli.ts";
import { CONTROLLER_ENVIRONMENT } from "./controller_environment.ts";
import { loadImages } from "./images.ts";
import type { CaseResult } from "./known_failures.ts";
import { applySuiteObjects, startServices } from "./namespace.ts";
import { placeCases } from "./placed_cases.ts";
import { recordWorkflows } from "./recorded_workflows.ts";
import { judgeRoles } from "./refused_acts.ts";
import { runSuite, type SuiteRun } from "./runner.ts";
import { startControllerFromSource } from "./source_controller.ts";

const NAMESPACE = "argo";

/** The options of a run on a cluster. */
export interface ClusterOptions extends Pick<SuiteRun, "suite" | "cases" | "only" | "knownFailures" | "options"> {
  readonly kubeconfig: string | undefined;
  /** Run the controller here, from source, in place of the installed one: a change of it needs no image build. */
  readonly fromSource: boolean;
  /** The set of Argo's CRDs with which Argo is installed and taken over; undefined for our own manifests. */
  readonly foreign: CrdSet | undefined;
}

/** Installs the project on a cluster as a user would, prepares the suite's namespace, and runs the suite. */
export async function runOnCluster(options: ClusterOptions): Promise<CaseResult[]> {
  const { suite } = options;
  await using cluster = await findCluster(options.kubeconfig);
  console.error(`On ${cluster.description}`);
  const { kubectl } = cluster;
  const hasImages = await loadImages(cluster, { suite, cache: clusterSettings().cache });
  await install(cluster, NAMESPACE, { foreign: options.foreign });
  await applySuiteObjects(kubectl, { namespace: NAMESPACE, suite, address: cluster.hostNetwork?.address });
  const environment = Object.entries(CONTROLLER_ENVIRONMENT).map(([name, value]) => `${name}=${value}`);
  await kubectl.output("-n", NAMESPACE, "set", "env", "deployment/workflow-controller", ...environment);
  await using _controller = options.fromSource ? await startControllerFromSource(cluster, NAMESPACE) : undefined;
  if (!options.fromSource) await restartController(kubectl, NAMESPACE);
  await using services = await startServices(cluster, { namespace: NAMESPACE, suite });
  const lack = ["layout:legacy"];
  if (options.foreign === "minimal") lack.push("crd:full");
  if (!hasImages) lack.push("image:*");
  if (!services) lack.push("s3", "s3:*", "httpbin", "git", "pvc");
  await using _record = await recordWorkflows("cluster", { kubeconfig: cluster.kubeconfig, namespace: NAMESPACE });
  const folder = await Deno.makeTempDir({ prefix: "cases-" });
  await using _folder = { [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
  const { address } = cluster.hostNetwork ?? {};
  const cases = address === undefined ? options.cases : await placeCases(options.cases ?? suite, folder, address);
  const results = await runSuite({
    ...options,
    ...(cases === undefined ? {} : { cases }),
    kubectl: kubectl.command,
    namespace: NAMESPACE,
    lack,
    cli: cliCommand(cluster.kubeconfig),
  });
  return options.fromSource
    ? results
    : [...results, ...await judgeRoles(kubectl, NAMESPACE, options.foreign !== undefined)];
}
