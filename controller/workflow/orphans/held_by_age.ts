/** Statistics of held pods for the log. */
import type { Pod } from "@tiphys/model/api";

/** The number of held pods, their ages, and how many of them are being deleted, and for how long. */
export function summarizeHeldPods(pods: readonly Pod[], now: Date): Record<string, number> {
  const age = (time: string | undefined) =>
    time ? Math.max(0, Math.round((now.getTime() - Date.parse(time)) / 1000)) : 0;
  const deleting = pods.filter(({ metadata }) => metadata.deletionTimestamp);
  return {
    held: pods.length,
    oldestSeconds: Math.max(...pods.map(({ metadata }) => age(metadata.creationTimestamp))),
    overAnHour: pods.filter(({ metadata }) => age(metadata.creationTimestamp) > 3600).length,
    deleting: deleting.length,
    longestDeletingSeconds: Math.max(0, ...deleting.map(({ metadata }) => age(metadata.deletionTimestamp))),
  };
}
