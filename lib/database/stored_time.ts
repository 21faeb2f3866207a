/** Times as databases hold them: without a zone, in UTC. */

/** The text of a moment, `2026-11-23 04:05:06`. */
export function storedTime(millis: number): string {
  return new Date(millis).toISOString().slice(0, 19).replace("T", " ");
}

/** A stored time as Kubernetes writes times: `2026-11-23T04:05:06Z`. */
export function kubernetesTime(stored: string): string {
  return `${stored.slice(0, 19).replace(" ", "T")}Z`;
}
