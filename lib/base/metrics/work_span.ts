/** Work of the controller for a workflow, recorded for its trace. */

import type { StageName } from "../stage_times.ts";

/** The kinds of work, with the names of Argo's spans. */
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

/** A finished piece of work. */
export interface WorkSpan {
  readonly name: WorkName;
  readonly workflow: { readonly metadata: { readonly uid?: string | undefined } };
  /** The node that it was done for; undefined for the whole workflow. */
  readonly nodeId?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly began: number;
  readonly ended: number;
  /** The error with which it failed. Its message may quote an object. */
  readonly error?: unknown;
  /**
   * Identifies the work within its node or workflow, so that repeated reports replace each other. Without a key, report
   * it only once.
   */
  readonly key?: string;
  /** The key of the enclosing work of the same node or workflow; undefined directly below the node or workflow. */
  readonly partOf?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  /** A failure without an error object; it quotes nothing. */
  readonly failure?: string | undefined;
}

/** Receives finished work. */
export type ReportWork = (work: WorkSpan) => void;

/** Runs `act` and reports its duration and error if there is a receiver. */
export async function withWorkSpan<T>(
  report: ReportWork | undefined,
  work: Pick<WorkSpan, "name" | "workflow" | "nodeId" | "key" | "partOf">,
  clock: { now(): number },
  act: () => Promise<T>,
): Promise<T> {
  if (!report) return await act();
  const began = clock.now();
  try {
    const result = await act();
    report({ ...work, began, ended: clock.now() });
    return result;
  } catch (error) {
    report({ ...work, began, ended: clock.now(), error });
    throw error;
  }
}
