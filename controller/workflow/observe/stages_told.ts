/**
 * The stages that reports tell of, for traces: kept though the report is gone, as it is soon after its workflow is over,
 * which can be before the last pods have ended.
 */
import { ANNOTATION } from "@tiphys/base/constants";
import { keepNewest } from "@tiphys/base/text_cache";
import type { Informer, KubeObject } from "@tiphys/kube";
import { LAST_STAGE, parseStageTimes, type StageTime } from "@tiphys/base/stage_times";

/** The most nodes whose stages are kept: those whose reports came last. */
const MOST_NODES = 10_000;

function isLast({ name }: StageTime): boolean {
  return name === LAST_STAGE;
}

/** The stages of nodes whose pods may still be told of. Made only where traces are sent. */
export class StagesTold {
  /** By the UID of the workflow and the ID of the node. */
  readonly #stages = new Map<string, readonly StageTime[]>();

  /** Listens to the copy of the reports from now on. */
  constructor(
    reports: Pick<Informer<KubeObject>, "onChange">,
    { now }: { now(): number },
    mostNodes = MOST_NODES,
  ) {
    reports.onChange((type, { metadata: { annotations, ownerReferences, name } }) => {
      if (type === "deleted") return;
      const told = parseStageTimes(annotations?.[ANNOTATION.stageTimes]);
      const uid = ownerReferences?.find(({ kind }) => kind === "Workflow")?.uid;
      if (told.length === 0 || !uid) return;
      const key = `${uid} ${name}`;
      const before = this.#stages.get(key)?.find(isLast);
      // The write of a report is over when it is first heard of.
      const endOf = ({ began }: StageTime) => before?.began === began ? before.ended : Math.max(began, now());
      const stages = told.map((stage) => isLast(stage) ? { ...stage, ended: endOf(stage) } : stage);
      keepNewest(this.#stages, key, stages, mostNodes);
    });
  }

  /** The stages that the newest report of a node told of. */
  of(workflow: { readonly metadata: { readonly uid?: string | undefined } }, nodeId: string): readonly StageTime[] {
    return this.#stages.get(`${workflow.metadata.uid} ${nodeId}`) ?? [];
  }
}
