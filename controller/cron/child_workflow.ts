/** The workflow that a cron workflow makes for a slot. */
import type { CronWorkflow, Workflow } from "@tiphys/model/api";
import { ANNOTATION, LABEL } from "@tiphys/base/constants";
import { cronChildName, timeText } from "@tiphys/model/status";
import { workflowFromCron } from "@tiphys/engine/workflow_actions";

/** The labels of a cron workflow that its children get too: they say who made it. */
const HANDED_ON = [LABEL.creator, LABEL.creatorEmail, LABEL.creatorPreferredUsername];

/** The child of a slot (milliseconds since 1970): the same slot has the same name, so that none is made twice. */
export function childOf(cron: CronWorkflow, slot: number, instanceId: string | undefined): Workflow {
  const { metadata: { generateName: _none, ...metadata }, ...workflow } = workflowFromCron(cron);
  const { labels = {}, name = "", namespace } = cron.metadata;
  const creators = HANDED_ON.filter((label) => labels[label] !== undefined).map((label) => [label, labels[label]!]);
  const time = new Date(slot);
  return {
    ...workflow,
    metadata: {
      ...metadata,
      name: cronChildName(name, time),
      ...(namespace !== undefined && { namespace }),
      labels: {
        ...metadata.labels,
        ...Object.fromEntries(creators),
        ...(instanceId ? { [LABEL.instanceId]: instanceId } : {}),
      },
      annotations: { ...metadata.annotations, [ANNOTATION.scheduledTime]: timeText(time) },
    },
  };
}
