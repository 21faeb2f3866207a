/**
 * The stages of reports, for traces. They outlive the report, which is deleted soon after its workflow has finished,
 * possibly before the last pods have ended.
 */
import { ANNOTATION } from "@tiphys/base/constants";
import { keepNewest } from "@tiphys/base/text_cache";
import type { KubeObject } from "@tiphys/kube";
import type { Informer } from "@tiphys/kube/informers";
import { LAST_STAGE, parseStageTimes, type StageTime } from "@tiphys/base/stage_times";

/** The maximum number of nodes with stages; those with the latest reports stay. */
const MAX_NODES = 10_000;

function isLastStage({ name }: StageTime): boolean {
  return name === LAST_STAGE;
}

/** The stages of nodes whose pods may still be traced. Created only if traces are sent. */
export class ReportedStages {
  /** By the UID of the workflow and the ID of the node. */
  readonly #stages = new Map<string, readonly StageTime[]>();

  /** Listens to the copy of the reports from now on. */
  constructor(
    reports: Pick<Informer<KubeObject>, "onChange">,
    { now }: { now(): number },
    mostNodes = MAX_NODES,
  ) {
    reports.onChange((type, { metadata: { annotations, ownerReferences, name } }) => {
      if (type === "deleted") return;
      const reported = parseStageTimes(annotations?.[ANNOTATION.stageTimes]);
      const uid = ownerReferences?.find(({ kind }) => kind === "Workflow")?.uid;
      if (reported.length === 0 || !uid) return;
      const key = `${uid} ${name}`;
      const before = this.#stages.get(key)?.find(isLastStage);
      // The write of a report has ended when the report is first seen.
      const endOf = ({ began }: StageTime) => before?.began === began ? before.ended : Math.max(began, now());
      const stages = reported.map((stage) => isLastStage(stage) ? { ...stage, ended: endOf(stage) } : stage);
      keepNewest(this.#stages, key, stages, mostNodes);
    });
  }

  /** Returns the stages of the newest report of a node. */
  of(workflow: { readonly metadata: { readonly uid?: string | undefined } }, nodeId: string): readonly StageTime[] {
    return this.#stages.get(`${workflow.metadata.uid} ${nodeId}`) ?? [];
  }
}
