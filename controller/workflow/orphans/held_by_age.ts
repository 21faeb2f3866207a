/**
 * Held pods by their age: how many there are, how many of them somebody wants gone, and for how long; the facts of a
 * log line.
 */
import type { Pod } from "@tiphys/model/api";

/**
 * The facts of a log line about held pods: their number, their ages, and how many of them somebody wants gone, and for
 * how long.
 */
export function describeHeld(pods: readonly Pod[], now: Date): Record<string, number> {
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
