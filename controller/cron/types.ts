/** Types of a decision about a cron workflow: the facts that it reads, and what it answers. */
import type { CronWorkflow, ObjectReference, Workflow } from "@tiphys/model/api";
import type { GoZone } from "@tiphys/base/go";
import type { TemplateLookup } from "@tiphys/language/validate";
import type { Slots } from "./slots.ts";

/** A workflow that a cron workflow owns; moments are milliseconds since 1970. */
export interface Child {
  readonly uid: string;
  readonly ownerUid: string;
  readonly name: string;
  readonly namespace: string;
  readonly resourceVersion: string;
  /** The phase as it is written; empty when there is none. */
  readonly phase: string;
  readonly finishedAt: number | undefined;
  /** The moment in its annotation; somebody may have made the child by hand, for a moment that is no slot. */
  readonly scheduledTime: number | undefined;
  readonly isShutDown: boolean;
  readonly isDeleting: boolean;
  /** Whether the child was deleted; the other fields are then as it was last seen. */
  readonly isGone: boolean;
  /** Whether the child was made while this controller watched. */
  readonly isNew: boolean;
}

/** The labels and annotations of `workflowDefaults`: its own, and those of its `spec.workflowMetadata`. */
export type DefaultMetadata = Pick<Partial<Workflow>, "metadata"> & { readonly spec?: Workflow["spec"] | undefined };

/** The facts that a decision about a cron workflow reads. */
export interface CronFacts {
  readonly cron: CronWorkflow;
  readonly children: readonly Child[];
  /** Whether the copy of the workflows shows everything up to the version in a reference. */
  readonly hasSeen: (reference: ObjectReference) => boolean;
  readonly templates: TemplateLookup;
  /** The metadata that the controller's defaults give every workflow: tags may name its labels. */
  readonly defaults?: DefaultMetadata | undefined;
  /** The zone of schedules that name none. */
  readonly local: GoZone;
  readonly instanceId?: string | undefined;
}

/** The outcome of making a child. */
export type Outcome =
  | { readonly kind: "made"; readonly child: ObjectReference }
  /** `mayPass`: the same may succeed a moment later. */
  | { readonly kind: "failed"; readonly message: string; readonly mayPass: boolean; readonly againAt: number };

/**
 * The memory of a cron workflow between passes, never changed in place. It is lost with the process: then no slot from
 * before is made up for, but for what `startingDeadlineSeconds` allows.
 */
export interface Watch {
  /**
   * The terms under which it is watched: schedules, zone, and whether they count at all. With other ones watching
   * begins anew.
   */
  readonly terms: string;
  /** The moment at which watching began: slots before that were missed. */
  readonly beganAt: number;
  /** Slots up to this moment are dealt with. */
  readonly since: number;
  /** The moments of its schedules; absent where they cannot be read. */
  readonly slots?: Slots;
  /** The slot for which a child was asked for, and what came of it. */
  readonly attempt?: { readonly slot: number; readonly outcome: Outcome } | undefined;
  /** UIDs of children whose end is counted. */
  readonly counted: ReadonlySet<string>;
}

/** The counters of cron workflows. */
export type CronMetric = "cronworkflows_triggered_total" | "cronworkflows_concurrencypolicy_triggered";

/** One thing to do for a cron workflow. */
export type CronAction =
  /** Asked for before anything is written; the outcome is a fact of the same pass. */
  | {
    readonly kind: "createChild";
    readonly slot: number;
    readonly child: Workflow;
    /** Children that must be told to end before. */
    readonly replaces: readonly ObjectReference[];
  }
  /** Something that is counted happened for the slot. */
  | { readonly kind: "count"; readonly metric: CronMetric }
  /** A finished child is too old to be kept. */
  | { readonly kind: "deleteChild"; readonly child: Child };

/** The decision about a cron workflow. */
export interface CronDecision {
  /** The cron workflow as it should be; the very one of the facts when nothing changes. */
  readonly cron: CronWorkflow;
  readonly actions: readonly CronAction[];
  readonly watch: Watch;
  /** The moment to look again if nothing changes before, in milliseconds since 1970. */
  readonly comeBackAt?: number | undefined;
  /** Lines for the log: each says why nothing was made for a slot. */
  readonly notes: readonly string[];
}
