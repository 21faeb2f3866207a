import { clusterSettings } from "../cluster/mod.ts";
import { findCluster, install, restartController } from "../install/mod.ts";
import { cliCommand } from "./cli.ts";
import { CONTROLLER_ENVIRONMENT } from "./controller_environment.ts";
import { loadImages } from "./images.ts";
import type { CaseResult } from "./known_failures.ts";
import { applySuiteObjects, startServices } from "./namespace.ts";
import { recordWorkflows } from "./recorded_workflows.ts";
import { runSuite, type SuiteRun } from "./runner.ts";
import { startControllerFromSource } from "./source_controller.ts";

const NAMESPACE = "argo";

/** What a run says beside what it runs. */
export interface ClusterOptions extends Pick<SuiteRun, "suite" | "cases" | "only" | "known" | "options"> {
  readonly kubeconfig: string | undefined;
  /** Run the controller here, from its sources, in place of the installed one: no image is built for a change of it. */
  readonly fromSource: boolean;
}

/** Installs the project on a cluster as a user would, prepares the suite's namespace, and runs the suite there. */
export async function runOnCluster(options: ClusterOptions): Promise<CaseResult[]> {
  const { suite } = options;
  await using cluster = await findCluster(options.kubeconfig);
  console.error(`On ${cluster.description}`);
  const { kubectl } = cluster;
  const hasImages = await loadImages(cluster, { suite, cache: clusterSettings().cache });
  await install(cluster, NAMESPACE);
  await applySuiteObjects(kubectl, NAMESPACE, suite);
  const environment = Object.entries(CONTROLLER_ENVIRONMENT).map(([name, value]) => `${name}=${value}`);
  await kubectl.output("-n", NAMESPACE, "set", "env", "deployment/workflow-controller", ...environment);
  await using _controller = options.fromSource ? await startControllerFromSource(cluster, NAMESPACE) : undefined;
  if (!options.fromSource) await restartController(kubectl, NAMESPACE);
  await using services = await startServices(cluster, { namespace: NAMESPACE, suite });
  const lack = ["layout:legacy"];
  if (!hasImages) lack.push("image:*");
  if (!services) lack.push("s3", "s3:*", "httpbin", "git", "pvc");
  await using _record = await recordWorkflows("cluster", { kubeconfig: cluster.kubeconfig, namespace: NAMESPACE });
  return await runSuite({
    ...options,
    kubectl: kubectl.command,
    namespace: NAMESPACE,
    lack,
    cli: cliCommand(cluster.kubeconfig),
  });
}
