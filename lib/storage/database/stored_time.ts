/** Times as databases hold them: without a zone, in UTC. */

/** The text of a moment, `2026-11-23 04:05:06`. */
export function storedTime(millis: number): string {
  return new Date(millis).toISOString().slice(0, 19).replace("T", " ");
}

/** The text of a moment with its milliseconds, where it has some: databases compare it with what they hold as it is. */
export function storedMoment(millis: number): string {
  const fraction = String(Number(`0${new Date(millis).toISOString().slice(19, 23)}`)).slice(1);
  return storedTime(millis) + fraction;
}

/** The moment of a stored time: milliseconds since 1970, with whatever fraction the database has. */
export function millisOfStored(stored: string): number {
  return Date.parse(kubernetesTime(stored)) + Number(`0${stored.slice(19)}`) * 1000;
}

/** A stored time as Kubernetes writes times: `2026-11-23T04:05:06Z`. */
export function kubernetesTime(stored: string): string {
  return `${stored.slice(0, 19).replace(" ", "T")}Z`;
}
