/** The evidence of a run: what the oracles judge. */
import type { Pod, Workflow } from "@tiphys/model/api";
import type { KubeObject } from "@tiphys/kube";
import type { Case } from "./case.ts";
import type { Fault } from "./faults.ts";
import type { ApiCall } from "./network.ts";

/** A workflow at one moment. */
export interface Version {
  readonly at: number;
  readonly workflow: Workflow;
}

/** Main of a pod began to run. */
export interface Start {
  readonly at: number;
  readonly pod: Pod;
  /** The number of retries of the workflow that a person had asked for until then. */
  readonly retries: number;
}

/** A run. Times are milliseconds of virtual time. */
export interface Evidence {
  readonly case: Case;
  /** The same case without any fault; undefined for that run itself. */
  readonly faultless?: Evidence;
  /** People did something that the case does not say. */
  readonly meddled: boolean;
  /** Every state that the workflow was in. */
  readonly versions: readonly Version[];
  readonly starts: readonly Start[];
  /** The moments at which mains ended, or were to end with their pods, by the UID of the pod. */
  readonly ends: ReadonlyMap<string, number>;
  /** The keys of artifacts that were deleted, and when. */
  readonly deletions: readonly { readonly at: number; readonly key: string }[];
  /** The moments at which a person's retry was written. */
  readonly retriedAt: readonly number[];
  readonly endedAt: number | undefined;
  /** The moment after which nothing went wrong any more. */
  readonly calmFrom: number;
  /** The moment until which the end was waited for. */
  readonly waitedUntil: number;
  /** The objects in the cluster when everything should have been over. */
  readonly left: {
    readonly pods: readonly Pod[];
    readonly reports: readonly KubeObject[];
    readonly claims: readonly KubeObject[];
    readonly workflows: readonly Workflow[];
  };
  /** The requests of processes for changes, of leases too, in order. */
  readonly changes: readonly ApiCall[];
  /** The writes of controllers when everything should have been over, without those of leases. */
  readonly lateWrites: readonly ApiCall[];
  /** Passes that still waited for a place then. */
  readonly queued: number;
  /** The reasons for which processes of controllers ended by themselves, one for each end. */
  readonly exits: readonly string[];
  readonly uncaught: readonly string[];
  readonly trace: readonly Fault[];
  readonly calls: number;
  /** The places at which a process may be killed: its requests in order, without renewals of its lease. */
  readonly places: readonly string[];
  /** The hash of every call, its time and its outcome. */
  readonly hash: string;
  readonly log: readonly string[];
}
