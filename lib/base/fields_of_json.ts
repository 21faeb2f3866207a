/** Fields of JSON texts of unknown shape. */
import { parseJson } from "./bounded_json.ts";
import { type Fields, fieldsOf } from "./fields_of.ts";

/** The fields of the object of a JSON text; empty for invalid JSON, for one that is nested too deeply, and for another value. */
export function fieldsOfJson(text: string): Readonly<Fields> {
  try {
    return fieldsOf(parseJson(text));
  } catch {
    return {};
  }
}
