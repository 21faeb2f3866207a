/**
 * `argoexec artifact delete`: deletes the artifacts of garbage collection tasks and writes the result for each into the
 * task's status. A failed deletion does not affect the others.
 */
import type { Artifact, ArtifactLocation, ArtifactResult } from "@tiphys/model/api";
import { type Place, StoreError } from "@tiphys/model/artifact";
import { placeOf, relocate } from "@tiphys/model/artifact/location";
import {
  checkKey,
  forEachConcurrently,
  nameOfPlace,
  remove,
  type RetryPolicy,
  retryPolicyOf,
} from "@tiphys/artifacts/transfer";
import { ENV, LABEL } from "@tiphys/base/constants";
import type { KubeClient } from "@tiphys/kube/client";
import { KubeError } from "@tiphys/kube/errors";
import type { KubeList, KubeObject } from "@tiphys/kube/object";
import { WORKFLOW_ARTIFACT_GC_TASKS } from "@tiphys/kube/resources";
import { stopArtifactPlugins } from "../pod/stop_artifact_plugins.ts";
import { describeError, ExecutorError } from "../failure.ts";
import { terminationSignal } from "../pod/end_of_pod.ts";
import { connectPod } from "../pod/pod_client.ts";
import { retryTransient } from "../pod/retry_transient.ts";
import type { World } from "../world.ts";
import { type Deletion, deletionsOf } from "./task.ts";

/** The maximum number of concurrent deletions. */
const AT_ONCE = 8;
/** The number of artifacts whose results are written in one request. */
const RESULTS_PER_WRITE = 100;

/** The retry policy of Argo for deletions. */
const POLICY: RetryPolicy = { steps: 5, firstMillis: 10, factor: 2, jitter: 0.1 };

/** Runs the command. Resolves to its exit code. */
export async function deleteArtifacts(world: World, ending: AbortSignal = terminationSignal()): Promise<number> {
  try {
    const label = world.env(ENV.artifactGcPod);
    if (!label) {
      throw new ExecutorError(`Expected the environment variable ${ENV.artifactGcPod}, the label of this pod's tasks`);
    }
    const { client, namespace } = await connectPod(world);
    await forEachTask(
      world,
      client,
      { namespace, label },
      (task) => doTask(world, { client, namespace, task, stop: ending }),
    );
    return 0;
  } finally {
    await stopArtifactPlugins(world);
  }
}

/** The namespace and label of this pod's tasks. */
interface TaskSelector {
  readonly namespace: string;
  readonly label: string;
}

/**
 * Processes the tasks of this pod sequentially and reads them one at a time: all tasks together may not fit into this
 * container's memory.
 */
async function forEachTask(
  world: World,
  client: KubeClient,
  { namespace, label }: TaskSelector,
  act: (task: KubeObject) => Promise<void>,
): Promise<void> {
  const labelSelector = `${LABEL.artifactGcPod}=${label}`;
  const done = new Set<string>();
  let next: string | undefined;
  do {
    const page: KubeList = await retryTransient(world, async () => {
      try {
        return await client.list(WORKFLOW_ARTIFACT_GC_TASKS, namespace, { labelSelector, limit: 1, continue: next });
      } catch (error) {
        // The continue token has expired: start over. `done` skips the tasks that were processed.
        if (error instanceof KubeError && error.status === 410) next = undefined;
        throw error;
      }
    });
    next = page.metadata.continue;
    for (const item of page.items) {
      const name = item.metadata.name ?? "";
      if (done.has(name)) continue;
      done.add(name);
      if (isLabeledTask(world, item)) await act(item);
    }
  } while (next);
}

/** Whether a task belongs to this pod's workflow, and not to an earlier one with the same name. */
function isLabeledTask(world: World, item: KubeObject): boolean {
  const uid = world.env(ENV.workflowUid);
  return !uid || item.metadata.ownerReferences?.some((owner) => owner.uid === uid) === true;
}

interface TaskWork {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly task: KubeObject;
  readonly stop: AbortSignal;
}

async function doTask(world: World, { client, namespace, task, stop }: TaskWork): Promise<void> {
  const deletions = deletionsOf(
    task,
    (what) => world.log(`task ${task.metadata.name}: ${what}: expected an artifact with that name`),
  );
  for (let from = 0; from < deletions.length; from += RESULTS_PER_WRITE) {
    const results: Record<string, { artifactResults: Record<string, ArtifactResult> }> = {};
    await forEachConcurrently(deletions.slice(from, from + RESULTS_PER_WRITE), AT_ONCE, async (deletion) => {
      const node = results[deletion.nodeId] ??= { artifactResults: {} };
      node.artifactResults[deletion.artifact.name] = await resultOf(world, deletion, stop);
    });
    const patch = { status: { artifactResultsByNode: results } };
    await retryTransient(
      world,
      () =>
        client.patch(WORKFLOW_ARTIFACT_GC_TASKS, namespace, task.metadata.name!, patch, "merge", {
          subresource: "status",
          answer: "metadata",
        }),
    );
  }
}

async function resultOf(
  world: World,
  { nodeId, artifact, archive }: Deletion,
  stop: AbortSignal,
): Promise<ArtifactResult> {
  const { name } = artifact;
  try {
    const place = completeLocation(artifact, archive);
    const removed = await removeAt(world, name, place, stop);
    world.log(`artifact ${name} of ${nodeId}: deleted ${nameOfPlace(place)}, ${removed} objects`);
    return { name, success: true };
  } catch (error) {
    // On termination, artifacts that were not processed get no result.
    stop.throwIfAborted();
    const message = world.redact(describeError(error));
    world.log(`artifact ${name} of ${nodeId}: ${message}`);
    return { name, success: false, error: message };
  }
}

/**
 * Returns the location of an artifact.
 * @throws {LocationError} when the location is invalid, {@link StoreError} `final` when it has no key: a whole store is
 * never deleted.
 */
function completeLocation(artifact: Artifact, archive: ArtifactLocation | undefined): Place {
  const place = placeOf(relocate(artifact, archive));
  if (!place) throw new StoreError("the artifact has no store", "final");
  checkKey(place);
  return place;
}

async function removeAt(world: World, name: string, location: Place, stop: AbortSignal): Promise<number> {
  const driver = await world.driverFor(location);
  const how = {
    policy: retryPolicyOf(world.env, { prefix: "RETRY_BACKOFF_", otherwise: POLICY }),
    clock: world.clock,
    stop,
    log: (line: string) => world.log(world.redact(`artifact ${name}: ${line}`)),
  };
  return await remove(driver, location, how);
}
