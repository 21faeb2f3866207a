/** The trace ID of a workflow, which is its UID because that has the same size, and the span IDs of its nodes. */

/** Returns 32 hexadecimal digits; undefined for a UID of another form. */
export function traceIdOf(uid: string): string | undefined {
  const digits = uid.replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]{32}$/.test(digits) && !/^0+$/.test(digits) ? digits : undefined;
}

/** Returns the span ID of a workflow, the parent of the spans of its nodes and of the work for it. */
export function workflowSpanId(uid: string): string {
  return spanIdOf(`${uid} workflow`);
}

/** Returns the span ID of a node. */
export function nodeSpanId(uid: string, nodeId: string): string {
  return spanIdOf(`${uid} ${nodeId}`);
}

/** Returns the FNV-1a hash of a text, eight bytes. Never zero, which is not a valid span ID. */
function spanIdOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & (2n ** 64n - 1n);
  return (hash || 1n).toString(16).padStart(16, "0");
}
