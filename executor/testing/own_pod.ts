/** A pod with a real API server, for tests of commands that use the API. */
import type { WorkflowTaskResult } from "@tiphys/model/api";
import { ENV, LABEL, PATH } from "@tiphys/base/constants";
import { type KubeClient, WORKFLOW_TASK_RESULTS, WORKFLOWS } from "@tiphys/kube";
import { createApiServer } from "../../local/api/mod.ts";
import type { PodTemplate } from "../pod/template.ts";
import { type TestWorld, testWorld, type WorldOptions } from "./world.ts";

/** A pod with its own API server. */
export interface OwnPod extends AsyncDisposable {
  readonly world: TestWorld;
  readonly client: KubeClient;
  /** The environment of its container. */
  readonly env: Record<string, string>;
  /** The cause in the container's termination message; undefined if it left none. */
  message(): Promise<string | undefined>;
  /** The report; `isWhole` when it is complete. */
  report(): Promise<WorkflowTaskResult & { isWhole: boolean }>;
}

/**
 * Creates the pod of a template in namespace `ns`, for the node `wf-1` of the workflow `wf`. Its world is that of one
 * container, by default main.
 */
export async function ownPod(
  template: PodTemplate,
  env: Record<string, string> = {},
  edges: Pick<WorldOptions, "container" | "clock" | "driverFor"> = {},
): Promise<OwnPod> {
  const api = createApiServer({ storePath: ":memory:" });
  const served = await api.serve(0);
  const client = api.client();
  const metadata = { name: "wf", namespace: "ns" };
  // Without its owner, the garbage collector would delete the report.
  const workflow = await client.create(WORKFLOWS, "ns", {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata,
    spec: {},
  });
  const url = new URL(served.url);
  const whole = {
    KUBERNETES_SERVICE_HOST: url.hostname,
    KUBERNETES_SERVICE_PORT: url.port,
    [ENV.apiScheme]: url.protocol.slice(0, -1),
    [ENV.nodeId]: "wf-1",
    [ENV.workflowName]: "wf",
    [ENV.workflowUid]: workflow.metadata.uid!,
    [ENV.template]: JSON.stringify(template),
    ...env,
  };
  const world = await testWorld({ env: whole, ...edges });
  await world.write(`${PATH.serviceAccount}/token`, served.token);
  await world.write(`${PATH.serviceAccount}/namespace`, "ns");
  return {
    world,
    client,
    env: whole,
    message: async () => (await world.termination())?.cause,
    async report() {
      const result = await client.get<WorkflowTaskResult>(WORKFLOW_TASK_RESULTS, "ns", "wf-1");
      return { ...result, isWhole: result.metadata.labels?.[LABEL.reportOutputsCompleted] === "true" };
    },
    async [Symbol.asyncDispose]() {
      await served.close();
      api.close();
      await world[Symbol.asyncDispose]();
    },
  };
}
