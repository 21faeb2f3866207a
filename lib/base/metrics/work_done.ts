/** Work that a controller did for a workflow, as a trace tells of it. */

import type { StageName } from "../stage_times.ts";

/** The work, by the names of Argo's spans. */
export type WorkName =
  | StageName
  | "create_workflow_pod"
  | "node_phase"
  | "persist_updates"
  | "reconcile_workflow"
  | "run_init_container"
  | "run_main_container"
  | "run_supervisor_container"
  | "run_wait_container"
  | "try_acquire_lock";

/** A piece of work that was done. */
export interface WorkDone {
  readonly name: WorkName;
  readonly workflow: { readonly metadata: { readonly uid?: string | undefined } };
  /** The node that it was done for; the whole workflow where it is absent. */
  readonly nodeId?: string | undefined;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly ended: number;
  /** The error that ended it; undefined where none did. Its message may quote an object. */
  readonly error?: unknown;
  /** What it is told of by, among the pieces of work for a node, or for the workflow: the same whenever it is told again. Otherwise it is told once. */
  readonly key?: string;
  /** The key of the piece of work that it is a part of, for the same node or the workflow; where it is absent, a part of that itself. */
  readonly partOf?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  /** The words in which it failed, without an error: they quote nothing. */
  readonly failure?: string | undefined;
}

/** A function that is told of work that was done. */
export type TellWork = (work: WorkDone) => void;

/** Does work, and tells how long it took; where nobody is to be told it is only done. */
export async function toldOf<T>(
  tell: TellWork | undefined,
  work: Pick<WorkDone, "name" | "workflow" | "nodeId" | "key" | "partOf">,
  clock: { now(): number },
  act: () => Promise<T>,
): Promise<T> {
  if (!tell) return await act();
  const began = clock.now();
  try {
    const result = await act();
    tell({ ...work, began, ended: clock.now() });
    return result;
  } catch (error) {
    tell({ ...work, began, ended: clock.now(), error });
    throw error;
  }
}
