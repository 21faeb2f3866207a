import type { PathSegments } from "../api/mod.ts";

/** Visits every text within a value, and keys that hold tags, with its path. */
export function visitTexts(value: unknown, at: PathSegments, visit: (text: string, at: PathSegments) => void): void {
  if (typeof value === "string") return visit(value, at);
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) value.forEach((element, index) => visitTexts(element, [...at, index], visit));
  else {
    for (const [name, field] of Object.entries(value)) {
      if (name.includes("{{")) visit(name, [...at, name]);
      visitTexts(field, [...at, name], visit);
    }
  }
}
