/** The report to the controller: a WorkflowTaskResult named like the node (spec/pods 5, features X-50). */
import { ANNOTATION, API_VERSION, ENV, LABEL } from "../lib/constants.ts";
import { sortError } from "../lib/kube/errors.ts";
import { applyMergePatch } from "../lib/kube/patch/merge.ts";
import { WORKFLOW_TASK_RESULTS } from "../lib/kube/resources.ts";
import { VERSION } from "../lib/version.ts";
import { pause } from "../lib/watch/mod.ts";
import { ExecutorError } from "./failure.ts";
import { connectPod } from "./pod_client.ts";
import type { OutputParameter, TemplateArtifact } from "./template.ts";
import type { World } from "./world.ts";

/** What a node hands out. */
export interface ReportedOutputs {
  result?: string;
  parameters?: OutputParameter[];
  artifacts?: TemplateArtifact[];
  exitCode?: string;
}

/** The end of a report. */
export interface Whole {
  readonly outputs?: ReportedOutputs;
  readonly progress?: string;
  /** Main ended well and everything it left is here: nobody needs to wait for the kubelet to say so too. */
  readonly succeeded: boolean;
}

/** The start of a report. */
export interface Opening {
  /** Main was let go: who ends the pod from now on ends work that has begun (spec/pods 6.6). */
  readonly mainStarted: boolean;
}

/** An open report. */
export interface Report {
  /** Tells how far main is, while it runs. */
  progress(progress: string): Promise<void>;
  /** Tells what main left, where somebody else ends the report. */
  outputs(outputs: ReportedOutputs): Promise<void>;
  /** Tells what main left, and that the report is whole: one write. */
  close(whole: Whole): Promise<void>;
}

const FIRST_WAIT_MILLIS = 1000;
const LONGEST_WAIT_MILLIS = 30_000;

/**
 * Opens the report of this pod's node. The world's troubles are waited out for as long as the pod lives.
 * @throws {ExecutorError} when the API server forbids it.
 */
export async function openReport(world: World, { mainStarted }: Opening = { mainStarted: true }): Promise<Report> {
  const { client, namespace } = await connectPod(world);
  const name = required(world, ENV.nodeId);
  const annotations = {
    [ANNOTATION.executorVersion]: VERSION,
    ...(mainStarted ? { [ANNOTATION.mainStarted]: "true" } : {}),
  };
  const patch = (change: unknown) =>
    persist(world, async () => {
      try {
        await client.patch(WORKFLOW_TASK_RESULTS, namespace, name, change);
      } catch (error) {
        if (sortError(error) !== "notFound") throw error;
        await client.create(
          WORKFLOW_TASK_RESULTS,
          namespace,
          applyMergePatch(newResult(world, name, namespace, annotations), change),
        );
      }
    });
  await persist(world, async () => {
    try {
      await client.create(WORKFLOW_TASK_RESULTS, namespace, newResult(world, name, namespace, annotations));
    } catch (error) {
      if (sortError(error) !== "alreadyExists") throw error;
      await client.patch(WORKFLOW_TASK_RESULTS, namespace, name, {
        metadata: { annotations, labels: { [LABEL.reportOutputsCompleted]: "false" } },
      });
    }
  });
  return {
    progress: (progress) => patch({ progress }),
    outputs: (outputs) => patch({ outputs }),
    close: ({ outputs, progress, succeeded }) =>
      patch({
        ...(succeeded ? { phase: "Succeeded" } : {}),
        ...(outputs && Object.values(outputs).some((value) => value !== undefined) ? { outputs } : {}),
        ...(progress === undefined ? {} : { progress }),
        metadata: { annotations: peakMemory(), labels: { [LABEL.reportOutputsCompleted]: "true" } },
      }),
  };
}

function required(world: World, name: string): string {
  const value = world.env(name);
  if (!value) throw new ExecutorError(`Expected the environment variable ${name}`, { stage: "report" });
  return value;
}

function newResult(
  world: World,
  name: string,
  namespace: string,
  annotations: Record<string, string>,
): Record<string, unknown> {
  const workflow = required(world, ENV.workflowName);
  const instanceId = world.env(ENV.instanceId);
  return {
    apiVersion: API_VERSION,
    kind: "WorkflowTaskResult",
    metadata: {
      name,
      namespace,
      annotations,
      labels: {
        [LABEL.workflow]: workflow,
        [LABEL.reportOutputsCompleted]: "false",
        ...(instanceId ? { [LABEL.instanceId]: instanceId } : {}),
      },
      ownerReferences: [
        { apiVersion: API_VERSION, kind: "Workflow", name: workflow, uid: required(world, ENV.workflowUid) },
      ],
    },
  };
}

/** The most memory this process ever used, for who sizes its requests. The kernel counts it; others do not tell. */
function peakMemory(): Record<string, string> {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(Deno.readTextFileSync("/proc/self/status")) ?? [];
    return kibibytes ? { [ANNOTATION.executorPeakMemory]: `${kibibytes}Ki` } : {};
  } catch {
    return {};
  }
}

/** Does something at the API, for as long as it takes. */
async function persist(world: World, act: () => Promise<void>): Promise<void> {
  for (let wait = FIRST_WAIT_MILLIS;; wait = Math.min(wait * 2, LONGEST_WAIT_MILLIS)) {
    try {
      return await act();
    } catch (error) {
      const sort = sortError(error);
      if (sort === "forbidden") {
        throw new ExecutorError(
          `failed to patch task result, see https://argo-workflows.readthedocs.io/en/latest/workflow-rbac/: ${
            (error as Error).message
          }`,
          { stage: "report", cause: error },
        );
      }
      if (sort !== "transient" && sort !== "conflict") throw error;
      world.log(`the API server could not be reached, trying again: ${(error as Error).message}`);
      await pause(world.clock, wait * (1 + Math.random() / 10));
    }
  }
}
