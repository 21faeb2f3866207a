/** Outcomes of actions for a workflow that no watch shows. */
import type { Pod } from "@tiphys/model/api";
import type { KubeObject } from "@tiphys/kube";
import {
  ChangeLog,
  type FoundImage,
  type GarbageReport,
  LoggedMap,
  type MemoAnswer,
  type ReadConfigMap,
  type Refusal,
} from "@tiphys/engine";

/**
 * The news that an action has for the passes: true for facts that no watch shows, which the next pass should hear of at
 * once; `later` for what was told before and is to be tried again after a while.
 */
export type News = boolean | "later";

/** The outcomes of actions: noted when one is done, and facts of the next pass. */
export class ActionOutcomes {
  /** The workflow's task set as it was written last. */
  taskSet: KubeObject | undefined;
  /** The number of pods that were made for the workflow's agent. */
  agentsMade = 0;
  /** The keys of facts outside of the workflow's nodes that changed, in order (`Observed.outside`). */
  readonly outside = new ChangeLog();
  /** The results of look-ups in caches, by node ID, until the status has them. */
  readonly memos = new LoggedMap<MemoAnswer>(this.outside, "memo");
  /** Refusals of the API server to make something, by the ID of its node, or the name of a claim, or of the budget. */
  readonly refusals = new Map<string, Refusal>();
  /** Claims known to be there, or known to be gone, by name. */
  readonly claims = new Map<string, "present" | "gone">();
  /** Whether the pod disruption budget is known to be there, or known to be gone. */
  budget: "present" | "gone" | undefined;
  /** Commands of images that were asked for, by `imageKey`. */
  readonly images = new Map<string, FoundImage>();
  /** ConfigMaps that were asked for, by `namespace/name`: at most the two that a workflow may refer to. */
  readonly readConfigMaps = new Map<string, ReadConfigMap>();

  /** Ends of containers that were told to the executors beside them, by the UID of the pod and the exit codes. */
  readonly toldEnds = new Set<string>();

  /** Pods that were made to delete artifacts, as they were made, by name; and what those that ended told. */
  readonly collectors = new Map<string, Pod>();
  readonly collectorReports = new Map<string, GarbageReport>();

  /** A mistake of ours in an action: the next pass ends with it, so that the workflow rests and says so. */
  defect: unknown;

  /** Whether nothing is noted that another pass would need. */
  get isEmpty(): boolean {
    const noted = [this.refusals, this.claims, this.collectors];
    return this.defect === undefined && this.budget === undefined && noted.every(({ size }) => size === 0);
  }

  /** Forgets the pods that deleted artifacts: the workflow is not kept for them any more, and a retry makes others. */
  forgetCollectors(): void {
    this.collectors.clear();
    this.collectorReports.clear();
  }

  /** @throws the mistake of ours that an action came upon since the pass before; it counts once. */
  throwDefect(): void {
    const { defect } = this;
    this.defect = undefined;
    if (defect !== undefined) throw defect;
  }

  /** Notes a refusal. It is news the first time only: a pass that asked again at once would ask for ever. */
  refuse(id: string, refusal: Refusal): News {
    const before = this.refusals.get(id);
    this.refusals.set(id, refusal);
    return before?.transient === refusal.transient ? "later" : true;
  }
}
