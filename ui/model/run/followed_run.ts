/** A run while it is followed: what answers and changes make of what is known of it. Pure. */
import type { Workflow } from "@tiphys/model/api";
import type { Change } from "../../api/source.ts";
import { isArchivedOnly } from "./archived.ts";

/** What is known of a run. */
export interface FollowedRun {
  /** As it was last known: another run of its name never takes its place. */
  readonly run: Workflow | undefined;
  /** It was deleted from the cluster. */
  readonly isDeleted: boolean;
  /** Another run of the same name is in the cluster. */
  readonly hasNamesake: boolean;
}

/** A run of which nothing is known yet. */
export const UNKNOWN_RUN: FollowedRun = { run: undefined, isDeleted: false, hasNamesake: false };

/** After it was asked for: with the run that the server has, or undefined where there is none. */
export function afterAnswer(held: FollowedRun, found: Workflow | undefined): FollowedRun {
  const { run } = held;
  if (!found) return { run, isDeleted: run !== undefined, hasNamesake: false };
  if (!run || run.metadata.uid === found.metadata.uid) {
    // That it was deleted is told first, whichever way it is found out; asked for again, it is shown as the archive has it.
    const isNewlyGone = run !== undefined && !isArchivedOnly(run) && isArchivedOnly(found) && !held.isDeleted;
    return isNewlyGone
      ? { run, isDeleted: true, hasNamesake: false }
      : { run: found, isDeleted: false, hasNamesake: false };
  }
  // A name is given to one run of the cluster at a time: the one that had it is gone.
  return { run, isDeleted: !isArchivedOnly(run), hasNamesake: !isArchivedOnly(found) };
}

/** After a change of the runs of its name. */
export function afterChange(held: FollowedRun, { type, object }: Change<Workflow>): FollowedRun {
  const { run } = held;
  if (run?.metadata.uid !== object.metadata.uid) return { ...held, hasNamesake: type !== "DELETED" };
  if (type === "DELETED") return { ...held, isDeleted: true };
  return object.metadata.resourceVersion === run?.metadata.resourceVersion ? held : { ...held, run: object };
}
