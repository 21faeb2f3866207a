import { parseJson } from "./bounded_json.ts";
import { type Fields, fieldsOf } from "./fields_of.ts";

/** Parses a JSON object; returns an empty one for invalid JSON, for too deep nesting, and for any other value. */
export function fieldsOfJson(text: string): Readonly<Fields> {
  try {
    return fieldsOf(parseJson(text));
  } catch {
    return {};
  }
}
