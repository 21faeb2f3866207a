/** JSON in databases: PostgreSQL does not accept null characters in text, so Argo replaces them with a word. */
import { parseJson } from "@tiphys/base/bounded_json";
import type { Engine } from "../database/mod.ts";

/** Argo's replacement for a null character in PostgreSQL. */
export const NULL_CHARACTER = "ARGO_POSTGRES_NULL_REPLACEMENT";

/** An escape in a JSON text; an escaped backslash does not begin another one. */
const ESCAPE = /\\(?:u0000|[^])/g;

/** Returns a value as JSON for the engine. */
export function toStoredJson(engine: Engine, value: unknown): string {
  return toStoredText(engine, JSON.stringify(value));
}

/** Returns a JSON text for the engine. */
export function toStoredText(engine: Engine, text: string): string {
  if (engine !== "postgresql" || !text.includes("\\u0000")) return text;
  return text.replace(ESCAPE, (escape) => escape === "\\u0000" ? NULL_CHARACTER : escape);
}

/**
 * Parses stored JSON.
 * @throws {SyntaxError} when it is invalid or nested too deeply.
 */
export function fromStoredJson(engine: Engine, text: string): unknown {
  return parseJson(engine === "postgresql" ? text.replaceAll(NULL_CHARACTER, "\\u0000") : text);
}
