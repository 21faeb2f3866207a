/** The texts of ConfigMaps and Secrets, read where they enter. */
import { fieldsOf } from "../fields_of.ts";

/** The texts of a ConfigMap, or those of a Secret in base64; what is no text is left out. */
export function dataOf(object: object): Readonly<Record<string, string>> {
  return textsOf(fieldsOf(object).data);
}

/** The bytes of a ConfigMap in base64; what is no text is left out. */
export function binaryDataOf(object: object): Readonly<Record<string, string>> {
  return textsOf(fieldsOf(object).binaryData);
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  const texts: Record<string, string> = Object.create(null);
  for (const [name, text] of Object.entries(fieldsOf(value))) if (typeof text === "string") texts[name] = text;
  return texts;
}
