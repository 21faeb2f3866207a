/** The state of a run that is watched, updated by responses and watch events. Pure. */
import type { Workflow } from "@tiphys/model/api";
import type { Change } from "../../api/source.ts";
import { isArchivedOnly } from "./archived.ts";

/** The known state of a run. */
export interface FollowedRun {
  /** Its last known state. Another run of the same name never replaces it. */
  readonly run: Workflow | undefined;
  /** Whether it was deleted from the cluster. */
  readonly isDeleted: boolean;
  /** Whether the cluster has another run of the same name. */
  readonly hasNamesake: boolean;
}

/** The state before anything is known. */
export const UNKNOWN_RUN: FollowedRun = { run: undefined, isDeleted: false, hasNamesake: false };

/** Updates the state with the run that the server returned, or undefined if it was not found. */
export function afterAnswer(held: FollowedRun, received: Workflow | undefined): FollowedRun {
  const { run } = held;
  if (!received) return { run, isDeleted: run !== undefined, hasNamesake: false };
  if (!run || run.metadata.uid === received.metadata.uid) {
    // The deletion is shown first, however it was noticed; the next response shows the archived run.
    const isNewlyGone = run !== undefined && !isArchivedOnly(run) && isArchivedOnly(received) && !held.isDeleted;
    return isNewlyGone
      ? { run, isDeleted: true, hasNamesake: false }
      : { run: received, isDeleted: false, hasNamesake: false };
  }
  // Names are unique in the cluster, so the run that had the name is gone.
  return { run, isDeleted: !isArchivedOnly(run), hasNamesake: !isArchivedOnly(received) };
}

/** Updates the state with a change of runs of this name. */
export function afterChange(held: FollowedRun, { type, object }: Change<Workflow>): FollowedRun {
  const { run } = held;
  if (run?.metadata.uid !== object.metadata.uid) return { ...held, hasNamesake: type !== "DELETED" };
  if (type === "DELETED") return { ...held, isDeleted: true };
  return object.metadata.resourceVersion === run?.metadata.resourceVersion ? held : { ...held, run: object };
}
