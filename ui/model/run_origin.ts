/** The origins of a run: what it was made from or by, as its labels and its spec say. Pure. */
import type { Workflow } from "../../lib/api/mod.ts";

/** The kinds of what runs come from. */
export type OriginKind = "cron" | "template" | "cluster-template" | "binding" | "run";

/** Something that a run came from. */
export interface Origin {
  readonly kind: OriginKind;
  readonly name: string;
}

const LABELS: readonly (readonly [string, OriginKind])[] = [
  ["cron-workflow", "cron"],
  ["workflow-template", "template"],
  ["cluster-workflow-template", "cluster-template"],
  ["workflow-event-binding", "binding"],
  ["resubmitted-from-workflow", "run"],
];

/** The origins of a run, each once. */
export function originsOf({ metadata, spec }: Pick<Workflow, "metadata" | "spec">): Origin[] {
  const origins = LABELS.flatMap(([label, kind]): Origin[] => {
    const name = metadata.labels?.[`workflows.argoproj.io/${label}`];
    return name ? [{ kind, name }] : [];
  });
  const { workflowTemplateRef } = spec;
  if (!workflowTemplateRef?.name) return origins;
  const kind = workflowTemplateRef.clusterScope ? "cluster-template" : "template";
  const isKnown = origins.some((one) => one.kind === kind && one.name === workflowTemplateRef.name);
  return isKnown ? origins : [...origins, { kind, name: workflowTemplateRef.name }];
}

const CREATOR = "workflows.argoproj.io/creator";

/** Who made a run; undefined where nobody is known. */
export function creatorOf({ metadata: { labels = {} } }: Pick<Workflow, "metadata">): string | undefined {
  return labels[`${CREATOR}-preferred-username`] ?? labels[`${CREATOR}-email`]?.replace(".at.", "@") ?? labels[CREATOR];
}
