/**
 * Decisions about the children of a cron workflow: which are active, which are counted, and which are deleted by the
 * history limits.
 */
import type { CronWorkflow, ObjectReference } from "@tiphys/model/api";
import { API_VERSION } from "@tiphys/base/constants";
import { cronChildName, isCompletedPhase } from "@tiphys/model/status";
import type { CronDraft } from "./draft.ts";
import type { Child, CronAction, CronFacts } from "./types.ts";

const DEFAULT_SUCCESSFUL_LIMIT = 3;
const DEFAULT_FAILED_LIMIT = 1;

/** The reference to a child in the status of its cron workflow. */
export function childReference(
  { name, namespace, uid, resourceVersion }: Omit<ObjectReference, "kind">,
): ObjectReference {
  return { kind: "Workflow", apiVersion: API_VERSION, name, namespace, uid, resourceVersion };
}

/**
 * Updates `active` and the counters. A child is removed and counted once when it ends; one that is deleted before its
 * end is removed without being counted. Unlisted children (created manually or before a crash) are added.
 * @returns the UIDs of the counted children.
 */
export function updateChildren(
  draft: CronDraft,
  { cron, children, hasSeen }: CronFacts,
  countedBefore: ReadonlySet<string>,
): ReadonlySet<string> {
  const listed = new Set(draft.active.map(({ uid }) => uid));
  const last = draft.lastScheduledTime ?? -Infinity;
  const counted = new Set<string>();
  const known = new Map(children.map((child) => [child.uid, child]));
  for (const child of children) {
    const slot = slotOf(cron, child);
    if (slot !== undefined) draft.recordScheduled(slot);
    const isUnlistedSlot = slot !== undefined && slot > last;
    if (!isCompletedPhase(child.phase)) {
      if (!child.isGone) draft.addActive(childReference(child));
    } else if (countedBefore.has(child.uid)) {
      counted.add(child.uid);
    } else if (listed.has(child.uid) || child.isNew || isUnlistedSlot) {
      draft.countEnd(child.phase);
      counted.add(child.uid);
    }
  }
  draft.removeActive((reference) => {
    const child = known.get(reference.uid ?? "");
    // A child that was just created may not be in the local copy yet.
    if (!child) return hasSeen(reference);
    return child.isGone || isCompletedPhase(child.phase);
  });
  return counted;
}

/** The slot for which the controller created a child; undefined for a manually created one. */
function slotOf({ metadata }: CronWorkflow, { name, scheduledTime }: Child): number | undefined {
  if (scheduledTime === undefined) return undefined;
  return name === cronChildName(metadata.name ?? "", new Date(scheduledTime)) ? scheduledTime : undefined;
}

/** Deletes the oldest finished children that exceed the history limits. */
export function historyDeletions({ cron, children }: CronFacts): CronAction[] {
  const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = cron.spec;
  const finished = children.filter(({ phase, isGone, isDeleting }) =>
    isCompletedPhase(phase) && !isGone && !isDeleting
  );
  return [
    ...childrenOverLimit(
      finished.filter(({ phase }) => phase === "Succeeded"),
      limitOf(successfulJobsHistoryLimit, DEFAULT_SUCCESSFUL_LIMIT),
    ),
    ...childrenOverLimit(
      finished.filter(({ phase }) => phase !== "Succeeded"),
      limitOf(failedJobsHistoryLimit, DEFAULT_FAILED_LIMIT),
    ),
  ].map((child) => ({ kind: "deleteChild", child }));
}

function limitOf(limit: number | undefined, defaultValue: number): number {
  return limit === undefined || limit < 0 ? defaultValue : limit;
}

function childrenOverLimit(children: readonly Child[], limit: number): Child[] {
  const byEnd = [...children].sort((a, b) => (a.finishedAt ?? 0) - (b.finishedAt ?? 0) || (a.name < b.name ? -1 : 1));
  return byEnd.slice(0, Math.max(0, byEnd.length - limit));
}
