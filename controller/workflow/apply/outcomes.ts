/** Outcomes of actions for a workflow that no watch shows. */
import type { Pod } from "@tiphys/model/api";
import type { KubeObject } from "@tiphys/kube";
import { ChangeLog, type ImageCommandResult, LoggedMap, type ReadConfigMap, type Refusal } from "@tiphys/engine";
import type { GarbageReport } from "@tiphys/engine/garbage";
import type { MemoLookup } from "@tiphys/engine/memo";

/**
 * Whether the outcome of an action requires another pass: true for facts that no watch shows, which the next pass needs
 * at once; `later` for a failure that was reported before and is retried after a while.
 */
export type NeedsNextPass = boolean | "later";

/** The outcomes of actions: recorded when an action has ended, and facts of the next pass. */
export class ActionOutcomes {
  /** The workflow's task set as it was last written. */
  taskSet: KubeObject | undefined;
  /** The number of pods that were created for the workflow's agent. */
  createdPods = 0;
  /** The keys of facts outside of the workflow's nodes that changed, in order (`ObservedState.outside`). */
  readonly outside = new ChangeLog();
  /** The results of look-ups in caches, by node ID, until the status has them. */
  readonly memos = new LoggedMap<MemoLookup>(this.outside, "memo");
  /**
   * Refusals of the API server to create an object, by the ID of its node, or the name of a claim, or of the budget.
   */
  readonly refusals = new Map<string, Refusal>();
  /** Claims that are known to exist or to be gone, by name. */
  readonly claims = new Map<string, "present" | "gone">();
  /** Whether the pod disruption budget is known to exist or to be gone. */
  budget: "present" | "gone" | undefined;
  /** Requested commands of images, by `imageKey`. */
  readonly images = new Map<string, ImageCommandResult>();
  /** Requested ConfigMaps, by `namespace/name`: at most the two that a workflow may refer to. */
  readonly readConfigMaps = new Map<string, ReadConfigMap>();

  /** Ends of containers that were reported to the executors next to them, by the UID of the pod and the exit codes. */
  readonly reportedEnds = new Set<string>();

  /**
   * The pods that delete artifacts, in the state in which they were created, by name; and the reports of ended pods.
   */
  readonly collectors = new Map<string, Pod>();
  readonly collectorReports = new Map<string, GarbageReport>();

  /** A defect in an action: the next pass fails with it, so that the workflow is quarantined and reports it. */
  defect: unknown;

  /** Whether there is no outcome that another pass would need. */
  get isEmpty(): boolean {
    const noted = [this.refusals, this.claims, this.collectors];
    return this.defect === undefined && this.budget === undefined && noted.every(({ size }) => size === 0);
  }

  /** Forgets the pods that deleted artifacts: the workflow is no longer kept for them, and a retry creates new ones. */
  forgetCollectors(): void {
    this.collectors.clear();
    this.collectorReports.clear();
  }

  /** @throws the defect of an action since the previous pass; it is thrown once. */
  throwDefect(): void {
    const { defect } = this;
    this.defect = undefined;
    if (defect !== undefined) throw defect;
  }

  /**
   * Records a refusal. It requires another pass the first time only: a pass that repeated its request at once would do
   * so forever.
   */
  refuse(id: string, refusal: Refusal): NeedsNextPass {
    const before = this.refusals.get(id);
    this.refusals.set(id, refusal);
    return before?.transient === refusal.transient ? "later" : true;
  }
}
