/**
 * The watch of a task set until it is completed or deleted. A watch that cannot be established ends the agent with the
 * reason.
 */
import { type Clock, pause } from "@tiphys/base/clock";
import { LABEL } from "@tiphys/base/constants";
import { fieldsOf } from "@tiphys/base/fields_of";
import { classifyError, isOwnedBy, type KubeClient, type KubeObject, WORKFLOW_TASK_SETS } from "@tiphys/kube";
import { Informer } from "@tiphys/kube/informers";
import { describeError, ExecutorError } from "../failure.ts";
import type { TaskSetContents } from "./tasks.ts";

/** The task set of a workflow, and the client that watches it. */
export interface WatchedTaskSet {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly namespace: string;
  readonly name: string;
  /** The UID of the workflow that owns it. */
  readonly uid: string;
  log(message: string): void;
}

/**
 * The maximum time to wait for an unreachable API server, in milliseconds. Then the agent exits with the reason, and
 * its pod is restarted.
 */
export const UNREACHED_MILLIS = 30_000;

/**
 * Passes each version of the task set to `onTaskSet`. Resolves when the set is completed or deleted, or `ending` is
 * aborted.
 * @throws {ExecutorError} when the set could not be read even once.
 * @throws the reason of `broken` when that is aborted.
 */
export async function watchTaskSet(
  { client, clock, namespace, name, uid, log }: WatchedTaskSet,
  onTaskSet: (seen: TaskSetContents) => void,
  ending: AbortSignal,
  broken: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const stop = AbortSignal.any([ending, broken, over.signal]);
  let unread: ExecutorError | undefined;
  const giveUp = (error: unknown) => {
    unread = new ExecutorError(`failed to read task set ${name}: ${describeError(error)}`, { cause: error });
    over.abort();
  };
  let last: unknown = new Error(`no response from the API server within ${UNREACHED_MILLIS / 1000} s`);
  const sets = new Informer<KubeObject>(client, WORKFLOW_TASK_SETS, {
    namespace,
    fieldSelector: `metadata.name=${name}`,
    onError: (error) => {
      log(`watch of the task set failed, reconnecting: ${describeError(error)}`);
      last = error;
      if (!sets.isSynced && classifyError(error) !== "transient") giveUp(error);
    },
  });
  const isOurs = (set: KubeObject) => set.metadata.name === name && isOwnedBy(set, "Workflow", { metadata: { uid } });
  sets.onChange((type, set) => {
    if (!isOurs(set)) return;
    if (type === "deleted" || set.metadata.labels?.[LABEL.completed] === "true") return over.abort();
    const nodes = Object.entries(fieldsOf(fieldsOf(set.status).nodes));
    onTaskSet({
      tasks: fieldsOf(fieldsOf(set.spec).tasks),
      phases: new Map(nodes.map(([id, node]) => [id, textOf(fieldsOf(node).phase)])),
    });
  });
  const takeBack = clock.after(UNREACHED_MILLIS, () => sets.isSynced || giveUp(last));
  try {
    await sets.start(stop);
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    takeBack();
  }
  if (!stop.aborted) {
    await new Promise<void>((resolve) => stop.addEventListener("abort", () => resolve(), { once: true }));
  }
  // Gives the informer one turn of the event loop to close its watch.
  await pause(clock, 0);
  broken.throwIfAborted();
  if (unread) throw unread;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
