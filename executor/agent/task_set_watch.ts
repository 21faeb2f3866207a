/** The watch of a task set, until the set is over or gone; what cannot be watched ends the agent with the reason. */
import type { Clock } from "../../lib/clock/mod.ts";
import { pause } from "../../lib/clock/mod.ts";
import { LABEL } from "../../lib/constants.ts";
import { fieldsOf } from "../../lib/fields_of.ts";
import {
  Informer,
  isOwnedBy,
  type KubeClient,
  type KubeObject,
  sortError,
  WORKFLOW_TASK_SETS,
} from "../../lib/kube/mod.ts";
import { describe, ExecutorError } from "../failure.ts";
import type { SeenTasks } from "./tasks.ts";

/** The task set of a workflow, and who asks for it. */
export interface WatchedTaskSet {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly namespace: string;
  readonly name: string;
  /** The UID of the workflow that owns it. */
  readonly uid: string;
  log(message: string): void;
}

/** The time after which an unreachable server is given up, milliseconds: the pod's end says why, and it begins anew. */
export const UNREACHED_MILLIS = 30_000;

/**
 * Hands on what the task set says; resolves when it is over or gone, or `ending` is aborted.
 * @throws {ExecutorError} when it could not be read even once: nobody would ever hear of its tasks.
 * @throws the reason of `broken` when that is aborted.
 */
export async function watchTaskSet(
  { client, clock, namespace, name, uid, log }: WatchedTaskSet,
  see: (seen: SeenTasks) => void,
  ending: AbortSignal,
  broken: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const stop = AbortSignal.any([ending, broken, over.signal]);
  let unread: ExecutorError | undefined;
  const giveUp = (error: unknown) => {
    unread = new ExecutorError(`the task set ${name} cannot be read: ${describe(error)}`, { cause: error });
    over.abort();
  };
  let last: unknown = new Error(`the API server did not answer within ${UNREACHED_MILLIS / 1000} s`);
  const sets = new Informer<KubeObject>(client, WORKFLOW_TASK_SETS, {
    namespace,
    fieldSelector: `metadata.name=${name}`,
    onError: (error) => {
      log(`the watch of the task set failed, and is opened again: ${describe(error)}`);
      last = error;
      if (!sets.synced && sortError(error) !== "transient") giveUp(error);
    },
  });
  const isOurs = (set: KubeObject) => set.metadata.name === name && isOwnedBy(set, "Workflow", { metadata: { uid } });
  sets.onChange((type, set) => {
    if (!isOurs(set)) return;
    if (type === "deleted" || set.metadata.labels?.[LABEL.completed] === "true") return over.abort();
    const nodes = Object.entries(fieldsOf(fieldsOf(set.status).nodes));
    see({
      tasks: fieldsOf(fieldsOf(set.spec).tasks),
      phases: new Map(nodes.map(([id, node]) => [id, textOf(fieldsOf(node).phase)])),
    });
  });
  const takeBack = clock.after(UNREACHED_MILLIS, () => sets.synced || giveUp(last));
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
  // The informer lets go of its watch.
  await pause(clock, 0);
  broken.throwIfAborted();
  if (unread) throw unread;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
