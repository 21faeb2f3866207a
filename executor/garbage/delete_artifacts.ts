/**
 * `argoexec artifact delete`: deletes the artifacts that tasks name, and tells in their status of each what came of it. One
 * that cannot be deleted keeps no other back.
 */
import type { Artifact, ArtifactLocation, ArtifactResult } from "../../lib/api/mod.ts";
import {
  checkKey,
  nameOfPlace,
  type Place,
  placeOf,
  relocate,
  remove,
  type RetryPolicy,
  retryPolicyOf,
  sideBySide,
  StoreError,
} from "../../lib/artifact/mod.ts";
import { ENV, LABEL } from "../../lib/constants.ts";
import type { KubeClient } from "../../lib/kube/client.ts";
import { KubeError } from "../../lib/kube/errors.ts";
import type { KubeList, KubeObject } from "../../lib/kube/object.ts";
import { WORKFLOW_ARTIFACT_GC_TASKS } from "../../lib/kube/resources.ts";
import { stopArtifactPlugins } from "../before_main/artifact_plugins.ts";
import { describe, ExecutorError } from "../failure.ts";
import { endOfPod } from "../pod/end_of_pod.ts";
import { connectPod } from "../pod/pod_client.ts";
import { retryTransient } from "../pod/retry_transient.ts";
import type { World } from "../world.ts";
import { type Wanted, wantedOf } from "./task.ts";

/** Artifacts that are deleted at once. */
const AT_ONCE = 8;
/** The number of artifacts whose results are told in one request. */
const TOLD_TOGETHER = 100;

/** Argo's policy for deletions. */
const POLICY: RetryPolicy = { steps: 5, firstMillis: 10, factor: 2, jitter: 0.1 };

/** Runs the command; resolves to its exit code. */
export async function deleteArtifacts(world: World, ending: AbortSignal = endOfPod()): Promise<number> {
  try {
    const label = world.env(ENV.artifactGcPod);
    if (!label) throw new ExecutorError(`Expected the variable ${ENV.artifactGcPod} to say which tasks are ours`);
    const { client, namespace } = await connectPod(world);
    await eachTask(
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

/** The label and the namespace of the tasks that this pod does. */
interface Mine {
  readonly namespace: string;
  readonly label: string;
}

/** Does the tasks with our label, one after the other: all of them together may be more than this container can hold. */
async function eachTask(
  world: World,
  client: KubeClient,
  { namespace, label }: Mine,
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
        // The list that was begun is too old to be gone on with.
        if (error instanceof KubeError && error.status === 410) next = undefined;
        throw error;
      }
    });
    next = page.metadata.continue;
    for (const item of page.items) {
      const name = item.metadata.name ?? "";
      if (done.has(name)) continue;
      done.add(name);
      if (isOurs(world, item)) await act(item);
    }
  } while (next);
}

/** Whether a task is of our workflow, and not of an earlier one of that name. */
function isOurs(world: World, item: KubeObject): boolean {
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
  const wanted = wantedOf(task, (what) => world.log(`task ${task.metadata.name}: ${what} is no artifact of that name`));
  for (let from = 0; from < wanted.length; from += TOLD_TOGETHER) {
    const results: Record<string, { artifactResults: Record<string, ArtifactResult> }> = {};
    await sideBySide(wanted.slice(from, from + TOLD_TOGETHER), AT_ONCE, async (one) => {
      const node = results[one.nodeId] ??= { artifactResults: {} };
      node.artifactResults[one.artifact.name] = await resultOf(world, one, stop);
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
  { nodeId, artifact, archive }: Wanted,
  stop: AbortSignal,
): Promise<ArtifactResult> {
  const { name } = artifact;
  try {
    const place = wholePlace(artifact, archive);
    const removed = await removeAt(world, name, place, stop);
    world.log(`artifact ${name} of ${nodeId}: deleted ${nameOfPlace(place)}, ${removed} objects`);
    return { name, success: true };
  } catch (error) {
    // A process that is ended before it is done reports nothing about artifacts that it did not come to.
    stop.throwIfAborted();
    const message = world.redact(describe(error));
    world.log(`artifact ${name} of ${nodeId}: ${message}`);
    return { name, success: false, error: message };
  }
}

/**
 * The place of an artifact.
 * @throws {LocationError} when that cannot be told, {@link StoreError} `final` when it has no key: a whole store is
 * never deleted.
 */
function wholePlace(artifact: Artifact, archive: ArtifactLocation | undefined): Place {
  const place = placeOf(relocate(artifact, archive));
  if (!place) throw new StoreError("the artifact names no store", "final");
  checkKey(place);
  return place;
}

async function removeAt(world: World, name: string, place: Place, stop: AbortSignal): Promise<number> {
  const driver = await world.driverFor(place);
  const how = {
    policy: retryPolicyOf(world.env, { prefix: "RETRY_BACKOFF_", otherwise: POLICY }),
    clock: world.clock,
    stop,
    log: (line: string) => world.log(world.redact(`artifact ${name}: ${line}`)),
  };
  return await remove(driver, place, how);
}
