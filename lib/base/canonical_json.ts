/**
 * A value as JSON with the fields of all objects in one order, so that two who have the same value have the same text: an
 * API server keeps no order. Fields that are undefined are left out.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(inOrder(value));
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const ordered: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value).sort()) ordered[name] = inOrder((value as Record<string, unknown>)[name]);
  return ordered;
}
