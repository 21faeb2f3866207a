/** Paths of fields in an object, as people write them: `spec.templates[2].steps[0][1].template`. */

/** The segments of a path: names of fields and indexes of elements. */
export type PathSegments = readonly (string | number)[];

/** Maximum length of a name in a path, which is longer than the keys of labels: all errors below a name contain it. */
const MAX_NAME_LENGTH = 320;

/** Truncates a name for the path of an error. */
export function shortenedName(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH)}…`;
}

/**
 * Formats a path; names that are not plain words are quoted: `metadata.labels["app.io/name"]`. Long names are
 * truncated.
 */
export function formatPath(segments: PathSegments): string {
  let text = "";
  for (const written of segments) {
    const segment = typeof written === "string" ? shortenedName(written) : written;
    if (typeof segment === "number") text += `[${segment}]`;
    else if (!/^[A-Za-z_][\w-]*$/.test(segment)) text += `[${JSON.stringify(segment)}]`;
    else text += text === "" ? segment : `.${segment}`;
  }
  return text;
}

/** Parses the format of {@link formatPath}; throws a SyntaxError for any other text. */
export function parsePath(text: string): (string | number)[] {
  const segments: (string | number)[] = [];
  const part = /\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;
  while (part.lastIndex < text.length) {
    const offset = part.lastIndex;
    const match = part.exec(text);
    if (match === null) {
      throw new SyntaxError(`Cannot read the field path ${JSON.stringify(text)} from position ${offset}`);
    }
    const [, name, index, quoted] = match;
    segments.push(name ?? (index !== undefined ? Number(index) : String(JSON.parse(quoted ?? '""'))));
  }
  return segments;
}

/** Returns the value at a path, or undefined if it does not exist. */
export function valueAt(value: unknown, segments: PathSegments): unknown {
  let current = value;
  for (const segment of segments) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = (current as Record<string | number, unknown>)[segment];
  }
  return current;
}
