/** The place of a field in an object, as people write it: `spec.templates[2].steps[0][1].template`. */

/** A path as its parts: names of fields and numbers of elements. */
export type PathSegments = readonly (string | number)[];

/** Writes a path; a name that is not a plain word is quoted: `metadata.labels["app.io/name"]`. */
export function formatPath(segments: PathSegments): string {
  let text = "";
  for (const segment of segments) {
    if (typeof segment === "number") text += `[${segment}]`;
    else if (!/^[A-Za-z_][\w-]*$/.test(segment)) text += `[${JSON.stringify(segment)}]`;
    else text += text === "" ? segment : `.${segment}`;
  }
  return text;
}

/** Reads what {@link formatPath} writes; throws a SyntaxError on anything else. */
export function parsePath(text: string): (string | number)[] {
  const segments: (string | number)[] = [];
  const part = /\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;
  while (part.lastIndex < text.length) {
    const at = part.lastIndex;
    const match = part.exec(text);
    if (match === null) throw new SyntaxError(`Cannot read the field path ${JSON.stringify(text)} from position ${at}`);
    const [, name, index, quoted] = match;
    segments.push(name ?? (index !== undefined ? Number(index) : String(JSON.parse(quoted ?? '""'))));
  }
  return segments;
}

/** The value at a path, or undefined where the path leads nowhere. */
export function valueAt(value: unknown, segments: PathSegments): unknown {
  let current = value;
  for (const segment of segments) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = (current as Record<string | number, unknown>)[segment];
  }
  return current;
}
