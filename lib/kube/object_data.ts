/** Reads the texts of ConfigMaps and Secrets. */
import { fieldsOf, textFieldsOf } from "@tiphys/base/fields_of";

/** Returns the texts of a ConfigMap, or those of a Secret in base64. Values of other types are omitted. */
export function dataOf(object: object): Readonly<Record<string, string>> {
  return textFieldsOf(fieldsOf(object).data);
}

/** Returns the binary data of a ConfigMap in base64. Values of other types are omitted. */
export function binaryDataOf(object: object): Readonly<Record<string, string>> {
  return textFieldsOf(fieldsOf(object).binaryData);
}
