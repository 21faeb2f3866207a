import type { PathSegments } from "@tiphys/model/api";

/** Told of a text and its path, which is the visitor's to keep. */
type Visit = (text: string, at: PathSegments) => void;

/** Visits every text within a value, and keys that hold tags, with its path. */
export function visitTexts(value: unknown, at: PathSegments, visit: Visit): void {
  visitBelow(value, [...at], visit);
}

/** The one path is made longer and shorter on the way: only a text has use for one of its own. */
function visitBelow(value: unknown, path: (string | number)[], visit: Visit): void {
  if (typeof value === "string") return visit(value, [...path]);
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const [name, field] of isList ? value.entries() : Object.entries(value)) {
    path.push(name);
    if (!isList && String(name).includes("{{")) visit(String(name), [...path]);
    visitBelow(field, path, visit);
    path.pop();
  }
}
