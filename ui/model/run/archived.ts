/** Runs and the archive: whether a run is there only, and whether a copy of it is. */
import type { Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";

/** The run lies in the archive and is no object of the cluster any more. */
export function isArchivedOnly({ metadata }: Pick<Workflow, "metadata">): boolean {
  return metadata.labels?.[LABEL.archivingStatus] === "Persisted";
}

/** The archive has a copy of the run. */
export function isArchived({ metadata }: Pick<Workflow, "metadata">): boolean {
  const status = metadata.labels?.[LABEL.archivingStatus];
  return status === "Persisted" || status === "Archived";
}
