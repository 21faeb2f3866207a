/** JSON as databases hold it: PostgreSQL takes no null character in a text, so Argo puts a word in its place. */
import { parseJson } from "@tiphys/base/bounded_json";
import type { Engine } from "../database/mod.ts";

/** The text that stands for a null character in PostgreSQL, which cannot hold one; it is Argo's. */
export const NULL_CHARACTER = "ARGO_POSTGRES_NULL_REPLACEMENT";

/** Each escape of a JSON text: of two backslashes neither begins another one. */
const ESCAPE = /\\(?:u0000|[^])/g;

/** The JSON of a value in the form in which the engine takes it. */
export function toStoredJson(engine: Engine, value: unknown): string {
  return toStoredText(engine, JSON.stringify(value));
}

/** A text of JSON in the form in which the engine takes it. */
export function toStoredText(engine: Engine, text: string): string {
  if (engine !== "postgresql" || !text.includes("\\u0000")) return text;
  return text.replace(ESCAPE, (escape) => escape === "\\u0000" ? NULL_CHARACTER : escape);
}

/**
 * The value of stored JSON.
 * @throws {SyntaxError} when it is none, or nested too deeply.
 */
export function fromStoredJson(engine: Engine, text: string): unknown {
  return parseJson(engine === "postgresql" ? text.replaceAll(NULL_CHARACTER, "\\u0000") : text);
}
