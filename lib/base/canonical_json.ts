/**
 * Returns a value as JSON with sorted fields in all objects, so that equal values have equal texts: an API server does
 * not preserve the order of fields. Undefined fields are omitted.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(withSortedFields(value));
}

function withSortedFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedFields);
  if (typeof value !== "object" || value === null) return value;
  const ordered: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value).sort()) {
    ordered[name] = withSortedFields((value as Record<string, unknown>)[name]);
  }
  return ordered;
}
