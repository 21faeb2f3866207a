import type { PathSegments } from "@tiphys/model/api";

/** Receives a text and its path, which the visitor may keep. */
type TextVisitor = (text: string, path: PathSegments) => void;

/** Visits all strings within a value, and keys with tags, with their paths. */
export function visitTexts(value: unknown, path: PathSegments, visit: TextVisitor): void {
  visitBelow(value, [...path], visit);
}

/** Reuses one array for the path; only a visit gets a copy. */
function visitBelow(value: unknown, path: (string | number)[], visit: TextVisitor): void {
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
