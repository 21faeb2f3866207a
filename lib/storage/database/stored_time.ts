/** Times in databases: without a zone, in UTC. */

/** Formats a time: `2026-11-23 04:05:06`. */
export function storedTime(millis: number): string {
  return new Date(millis).toISOString().slice(0, 19).replace("T", " ");
}

/** Formats a time with milliseconds if there are any: databases compare it with stored times unchanged. */
export function formatMillis(millis: number): string {
  const fraction = String(Number(`0${new Date(millis).toISOString().slice(19, 23)}`)).slice(1);
  return storedTime(millis) + fraction;
}

/** Returns the milliseconds since the epoch of a stored time, with the fraction of the database. */
export function parseStoredMillis(stored: string): number {
  return Date.parse(kubernetesTime(stored)) + Number(`0${stored.slice(19)}`) * 1000;
}

/** Converts a stored time to the format of Kubernetes: `2026-11-23T04:05:06Z`. */
export function kubernetesTime(stored: string): string {
  return `${stored.slice(0, 19).replace(" ", "T")}Z`;
}
