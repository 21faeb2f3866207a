/** The texts of ConfigMaps and Secrets, read where they enter. */
import { fieldsOf, textFieldsOf } from "../fields_of.ts";

/** The texts of a ConfigMap, or those of a Secret in base64; what is no text is left out. */
export function dataOf(object: object): Readonly<Record<string, string>> {
  return textFieldsOf(fieldsOf(object).data);
}

/** The bytes of a ConfigMap in base64; what is no text is left out. */
export function binaryDataOf(object: object): Readonly<Record<string, string>> {
  return textFieldsOf(fieldsOf(object).binaryData);
}
