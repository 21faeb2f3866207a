/** The ID of a workflow's trace, which is its UID, as that has as many bytes; and those of the spans of its nodes. */

/** 32 hexadecimal digits; undefined for a UID of another form. */
export function traceIdOf(uid: string): string | undefined {
  const digits = uid.replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]{32}$/.test(digits) && !/^0+$/.test(digits) ? digits : undefined;
}

/** The span of a workflow, under which those of its nodes and of work for it lie. */
export function workflowSpanId(uid: string): string {
  return spanIdOf(`${uid} workflow`);
}

/** The span of a node. */
export function nodeSpanId(uid: string, nodeId: string): string {
  return spanIdOf(`${uid} ${nodeId}`);
}

/** The same eight bytes for the same text, FNV-1a; never zero, which would be no span. */
function spanIdOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & (2n ** 64n - 1n);
  return (hash || 1n).toString(16).padStart(16, "0");
}
