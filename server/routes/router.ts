/** Finds the route of a request. */
import type { Method, Route } from "./route.ts";

/** A route, and the values of the names in its path. */
export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "DELETE"];

/** Finds routes. A fixed segment takes precedence over a name. */
export class Router {
  /** Routes with a `{rest...}` at the end. */
  readonly #withRest: { readonly route: Route; readonly segments: readonly string[] }[] = [];
  readonly #byShape = new Map<string, { readonly route: Route; readonly segments: readonly string[] }[]>();
  /** The first segments of all paths. */
  readonly #areas = new Set<string>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const segments = route.path.split("/");
      this.#areas.add(segments[1] ?? "");
      if (segments.at(-1)?.endsWith("...}")) {
        this.#withRest.push({ route, segments: segments.slice(0, -1) });
        continue;
      }
      const shape = `${route.method} ${segments.length}`;
      const same = this.#byShape.get(shape) ?? [];
      this.#byShape.set(shape, [...same, { route, segments }]);
    }
    for (const same of this.#byShape.values()) same.sort((a, b) => countWords(b.segments) - countWords(a.segments));
  }

  /** Returns the route of a request; undefined if no route matches. A name may match an empty segment. */
  find(method: Method | string, pathname: string): Match | undefined {
    const parts = pathname.split("/");
    for (const { route, segments } of this.#byShape.get(`${method} ${parts.length}`) ?? []) {
      const params = matchSegments(segments, parts);
      if (params) return { route, params };
    }
    for (const { route, segments } of this.#withRest) {
      if (route.method !== method || parts.length <= segments.length) continue;
      const params = matchSegments(segments, parts);
      const rest = params && restParameterOf(parts.slice(segments.length));
      if (rest !== undefined) return { route, params: { ...params, rest } };
    }
    return undefined;
  }

  /**
   * Reports whether a path belongs to the area of routes. The page is never served there, so that programs get an
   * error.
   */
  hasPath(pathname: string): boolean {
    const [, area = "", ...below] = pathname.split("/");
    return below.length > 0 && this.#areas.has(area);
  }

  /** The methods with which a path has a route. */
  methodsOf(pathname: string): readonly Method[] {
    return METHODS.filter((method) => this.find(method, pathname) !== undefined);
  }
}

/** Decodes the rest of a path; undefined if a segment is `.` or `..`, or is empty and not the last one. */
function restParameterOf(parts: readonly string[]): string | undefined {
  const names = parts.map(decodeSegment);
  const isPlain = names.every((name, index) =>
    name !== undefined && name !== "." && name !== ".." && !name.includes("\\") &&
    (name !== "" || index === names.length - 1)
  );
  return isPlain ? names.join("/") : undefined;
}

function countWords(segments: readonly string[]): number {
  return segments.filter((segment) => !segment.startsWith("{")).length;
}

function matchSegments(segments: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? "";
    if (!segment.startsWith("{")) {
      if (segment !== part) return undefined;
      continue;
    }
    const value = decodeSegment(part);
    if (value === undefined) return undefined;
    params[segment.slice(1, -1)] = value;
  }
  return params;
}

/** Decodes a segment; undefined if it is not UTF-8 or contains a slash. */
function decodeSegment(part: string): string | undefined {
  try {
    const text = decodeURIComponent(part);
    return text.includes("/") || text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
