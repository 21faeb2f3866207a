/** A moment as Kubernetes writes it: RFC 3339 in UTC, whole seconds. */
export function timeOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}
