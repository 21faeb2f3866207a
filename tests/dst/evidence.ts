/** The evidence of a run, which the oracles judge. */
import type { Pod, Workflow } from "@tiphys/model/api";
import type { KubeObject } from "@tiphys/kube";
import type { Case } from "./case.ts";
import type { Fault } from "./faults.ts";
import type { ApiCall } from "./network.ts";

/** A state of a workflow and its time. */
export interface WorkflowVersion {
  readonly at: number;
  readonly workflow: Workflow;
}

/** The start of the main container of a pod. */
export interface Start {
  readonly at: number;
  readonly pod: Pod;
  /** The number of retries of the workflow that users had requested by then. */
  readonly retries: number;
}

/** The evidence of one run. Times are milliseconds of virtual time. */
export interface Evidence {
  readonly case: Case;
  /** The same case without faults; undefined for that run itself. */
  readonly faultless?: Evidence;
  /** Whether users did something that is not in the case. */
  readonly hasUserActions: boolean;
  /** Every state of the workflow. */
  readonly versions: readonly WorkflowVersion[];
  readonly starts: readonly Start[];
  /** The times at which main containers ended, or were to end with their pods, by the UID of the pod. */
  readonly ends: ReadonlyMap<string, number>;
  /** The keys of deleted artifacts, and when they were deleted. */
  readonly deletions: readonly { readonly at: number; readonly key: string }[];
  /** The times at which retries by users were written. */
  readonly retriedAt: readonly number[];
  readonly endedAt: number | undefined;
  /** The time after which no fault occurs. */
  readonly calmFrom: number;
  /** The time until which the run waited for the end. */
  readonly waitedUntil: number;
  /** The objects in the cluster when everything should have finished. */
  readonly left: {
    readonly pods: readonly Pod[];
    readonly reports: readonly KubeObject[];
    readonly claims: readonly KubeObject[];
    readonly workflows: readonly Workflow[];
  };
  /** Requests of processes that change objects, including leases, in order. */
  readonly changes: readonly ApiCall[];
  /** The controllers' writes when everything should have finished, without those of leases. */
  readonly lateWrites: readonly ApiCall[];
  /** The number of passes that were still queued then. */
  readonly queued: number;
  /** The reasons for which processes of controllers ended by themselves, one for each end. */
  readonly exits: readonly string[];
  readonly uncaught: readonly string[];
  readonly trace: readonly Fault[];
  readonly calls: number;
  /** The places at which a process can be killed: its requests in order, without renewals of its lease. */
  readonly places: readonly string[];
  /** The hash of every call, its time and its outcome. */
  readonly hash: string;
  readonly log: readonly string[];
}
