/** Types of a decision about a cron workflow: its facts and its result. */
import type { CronWorkflow, ObjectReference, Workflow } from "@tiphys/model/api";
import type { GoZone } from "@tiphys/base/go";
import type { TemplateLookup } from "@tiphys/language/validate";
import type { Slots } from "./slots.ts";

/** A workflow that a cron workflow owns. Times are in milliseconds since 1970. */
export interface Child {
  readonly uid: string;
  readonly ownerUid: string;
  readonly name: string;
  readonly namespace: string;
  readonly resourceVersion: string;
  /** The phase in its status; empty before the first pass. */
  readonly phase: string;
  readonly finishedAt: number | undefined;
  /** The time in its annotation. A manually created child may have a time that is not a slot. */
  readonly scheduledTime: number | undefined;
  readonly isShutDown: boolean;
  readonly isDeleting: boolean;
  /** Whether the child was deleted. The other fields then have their last known values. */
  readonly isGone: boolean;
  /** Whether the child was created while this controller was watching. */
  readonly isNew: boolean;
}

/** The labels and annotations of `workflowDefaults`, including those of its `spec.workflowMetadata`. */
export type DefaultMetadata = Pick<Partial<Workflow>, "metadata"> & { readonly spec?: Workflow["spec"] | undefined };

/** The facts that a decision about a cron workflow reads. */
export interface CronFacts {
  readonly cron: CronWorkflow;
  readonly children: readonly Child[];
  /** Whether the local copy of the workflows is at least as new as a reference. */
  readonly hasSeen: (reference: ObjectReference) => boolean;
  readonly templates: TemplateLookup;
  /** The metadata that the controller's defaults add to every workflow. Tags can refer to its labels. */
  readonly defaults?: DefaultMetadata | undefined;
  /** The time zone of schedules that do not name one. */
  readonly local: GoZone;
  readonly instanceId?: string | undefined;
}

/** The outcome of creating a child. */
export type Outcome =
  | { readonly kind: "made"; readonly child: ObjectReference }
  /** `isRetryable`: whether a retry may succeed. */
  | { readonly kind: "failed"; readonly message: string; readonly isRetryable: boolean; readonly againAt: number };

/**
 * The state of a cron workflow between passes, which is immutable. It is lost with the process; slots from before are
 * then skipped, except those that `startingDeadlineSeconds` allows to catch up.
 */
export interface WatchState {
  /**
   * A key of the schedules, the zone, and whether the cron workflow is active. If it changes, watching starts from
   * scratch.
   */
  readonly watchKey: string;
  /** The time at which watching began. Earlier slots were missed. */
  readonly startedAt: number;
  /** Slots up to this moment have been processed. */
  readonly since: number;
  /** The slots of its schedules; absent if they are malformed. */
  readonly slots?: Slots;
  /** The slot for which a child was requested, and the outcome. */
  readonly attempt?: { readonly slot: number; readonly outcome: Outcome } | undefined;
  /** UIDs of children that have been counted. */
  readonly counted: ReadonlySet<string>;
}

/** The counters of cron workflows. */
export type CronMetric = "cronworkflows_triggered_total" | "cronworkflows_concurrencypolicy_triggered";

/** One action for a cron workflow. */
export type CronAction =
  /** Applied before the status is written; the outcome is a fact of the same pass. */
  | {
    readonly kind: "createChild";
    readonly slot: number;
    readonly child: Workflow;
    /** Children that must be terminated first. */
    readonly replaces: readonly ObjectReference[];
  }
  /** An event of the slot for the metrics. */
  | { readonly kind: "count"; readonly metric: CronMetric }
  /** A finished child exceeds the history limits. */
  | { readonly kind: "deleteChild"; readonly child: Child };

/** The decision about a cron workflow. */
export interface CronDecision {
  /** The new cron workflow; the same object as in the facts if nothing changed. */
  readonly cron: CronWorkflow;
  readonly actions: readonly CronAction[];
  readonly watch: WatchState;
  /** The time of the next pass if nothing changes before, in milliseconds since 1970. */
  readonly requeueAt?: number | undefined;
  /** Log messages, each with the reason why a slot was skipped. */
  readonly notes: readonly string[];
}
