/** The workflow that a cron workflow creates for a slot. */
import type { CronWorkflow, Workflow } from "@tiphys/model/api";
import { ANNOTATION, LABEL } from "@tiphys/base/constants";
import { cronChildName, timeText } from "@tiphys/model/status";
import { workflowFromCron } from "@tiphys/engine/workflow_actions";

/** Labels that children inherit from their cron workflow: they identify its creator. */
const INHERITED_LABELS = [LABEL.creator, LABEL.creatorEmail, LABEL.creatorPreferredUsername];

/**
 * The child of a slot (milliseconds since 1970). Its name is derived from the slot, so that no slot gets two children.
 */
export function childOf(cron: CronWorkflow, slot: number, instanceId: string | undefined): Workflow {
  const { metadata: { generateName: _none, ...metadata }, ...workflow } = workflowFromCron(cron);
  const { labels = {}, name = "", namespace } = cron.metadata;
  const creators = INHERITED_LABELS.filter((label) => labels[label] !== undefined).map((
    label,
  ) => [label, labels[label]!]);
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
