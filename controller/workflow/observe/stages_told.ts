/**
 * The stages that reports tell of, for traces: kept though the report is gone, as it is soon after its workflow is over,
 * which can be before the last pods have ended.
 */
import { ANNOTATION } from "../../../lib/constants.ts";
import { keepNewest } from "../../../lib/kept.ts";
import type { Informer, KubeObject } from "../../../lib/kube/mod.ts";
import { parseStageTimes, type StageTime } from "../../../lib/stage_times.ts";

/** The most nodes whose stages are kept: those whose reports came last. */
const MOST_NODES = 10_000;

/** The stages of nodes whose pods may still be told of. Made only where traces are sent. */
export class StagesTold {
  /** By the UID of the workflow and the ID of the node. */
  readonly #stages = new Map<string, readonly StageTime[]>();

  /** Listens to the copy of the reports from now on. */
  constructor(reports: Pick<Informer<KubeObject>, "onChange">, mostNodes = MOST_NODES) {
    reports.onChange((type, { metadata: { annotations, ownerReferences, name } }) => {
      if (type === "deleted") return;
      const stages = parseStageTimes(annotations?.[ANNOTATION.stageTimes]);
      const uid = ownerReferences?.find(({ kind }) => kind === "Workflow")?.uid;
      if (stages.length > 0 && uid) keepNewest(this.#stages, `${uid} ${name}`, stages, mostNodes);
    });
  }

  /** The stages that the newest report of a node told of. */
  of(workflow: { readonly metadata: { readonly uid?: string | undefined } }, nodeId: string): readonly StageTime[] {
    return this.#stages.get(`${workflow.metadata.uid} ${nodeId}`) ?? [];
  }
}
