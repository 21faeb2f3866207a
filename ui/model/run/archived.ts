/** The archive state of runs: archived copies, and runs that exist in the archive only. */
import type { Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";

/** Reports whether a run exists in the archive only and no longer in the cluster. */
export function isArchivedOnly({ metadata }: Pick<Workflow, "metadata">): boolean {
  return metadata.labels?.[LABEL.archivingStatus] === "Persisted";
}

/** Reports whether the archive has a copy of a run. */
export function isArchived({ metadata }: Pick<Workflow, "metadata">): boolean {
  const status = metadata.labels?.[LABEL.archivingStatus];
  return status === "Persisted" || status === "Archived";
}
