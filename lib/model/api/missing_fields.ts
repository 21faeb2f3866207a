/** Fields that one OpenAPI schema has and another lacks, which an API server would drop. */
import { fieldsOf, isObject } from "@tiphys/base/fields_of";

/**
 * Lists the fields of `wanted` that an API server with the schema `found` drops, as paths such as
 * `outputs.artifacts[].size`. Fields below a missing field are not listed.
 */
export function missingFields(wanted: unknown, found: unknown, path = ""): string[] {
  const { properties, items, additionalProperties } = fieldsOf(wanted);
  const other = fieldsOf(found);
  const isOpen = other["x-kubernetes-preserve-unknown-fields"] === true;
  if (items !== undefined) return other.items === undefined ? [] : missingFields(items, other.items, `${path}[]`);
  if (isObject(additionalProperties)) {
    if (isObject(other.additionalProperties)) {
      return missingFields(additionalProperties, other.additionalProperties, `${path}.*`);
    }
    return isOpen || other.additionalProperties === true ? [] : [path];
  }
  const known = fieldsOf(other.properties);
  return Object.entries(fieldsOf(properties)).flatMap(([name, field]) => {
    const place = path === "" ? name : `${path}.${name}`;
    if (Object.hasOwn(known, name)) return missingFields(field, known[name], place);
    return isOpen ? [] : [place];
  });
}
