/** The schemas of served kinds for `kubectl explain`: fields and types, with descriptions for our kinds. */

import { isKindName, type KindName } from "@tiphys/model/api/kinds";
import type { Field, MessageType } from "@tiphys/proto";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { ServedResource } from "../served_resource.ts";
import { describedKind } from "./described_kind.ts";
import { builtInMessage } from "./built_in_messages.ts";

type Schema = Record<string, unknown>;

const OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/** The schemas of resources of one version by name, including those that they refer to. */
export function schemasOf(resources: readonly ServedResource[]): Record<string, Schema> {
  const schemas: Record<string, Schema> = {};
  for (const resource of resources) {
    const { group, version, kind } = resource;
    const schema = resource.builtIn
      ? builtInSchema(builtInMessage(group, kind), schemas)
      : definedSchema(resource, schemas);
    if (schema === undefined) continue;
    const name = `${(group === "" ? "io.k8s.api.core" : group.split(".").reverse().join("."))}.${version}.${kind}`;
    schemas[name] = { ...schema, "x-kubernetes-group-version-kind": [{ group, version, kind }] };
  }
  return schemas;
}

/** The schema of a custom kind, with the fields that every object has. */
function definedSchema({ group, kind, schema: defined }: ServedResource, schemas: Record<string, Schema>): Schema {
  const isOwn = group === "argoproj.io" && isKindName(kind);
  const schema = isOwn ? ownSchema(kind) : fieldsOf(defined);
  const properties = {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    ...fieldsOf(schema.properties),
    metadata: referenceTo(builtInMessage("meta", "ObjectMeta")!, schemas),
  };
  return { type: "object", ...schema, properties };
}

const ownSchemas = new Map<KindName, Readonly<Schema>>();

/** The schema of one of our kinds, cached because kubectl requests it before every apply. */
function ownSchema(kind: KindName): Readonly<Schema> {
  const schema = ownSchemas.get(kind) ?? describedKind(kind);
  ownSchemas.set(kind, schema);
  return schema;
}

function builtInSchema(message: MessageType | undefined, schemas: Record<string, Schema>): Schema | undefined {
  if (message === undefined) return undefined;
  const type = { apiVersion: { type: "string" }, kind: { type: "string" } };
  return { type: "object", properties: { ...type, ...propertiesOf(message, schemas) } };
}

function propertiesOf(message: MessageType, schemas: Record<string, Schema>): Schema {
  const properties: Schema = {};
  for (const field of message.fields) {
    if (field.isInline && field.type.kind === "message") {
      Object.assign(properties, propertiesOf(field.type.message, schemas));
    } else properties[field.name] = propertySchema(field, schemas);
  }
  return properties;
}

function propertySchema(field: Field, schemas: Record<string, Schema>): Schema {
  const schema = typeSchema(field, schemas);
  if (field.shape === "list") return { type: "array", items: schema };
  return field.shape === "map" ? { type: "object", additionalProperties: schema } : schema;
}

/** Messages that are not objects in JSON. */
const IN_JSON: Readonly<Record<string, Schema>> = {
  "meta.Time": { type: "string", format: "date-time" },
  "meta.MicroTime": { type: "string", format: "date-time" },
  "intstr.IntOrString": { type: "string", format: "int-or-string" },
  "resource.Quantity": { type: "string" },
  "meta.FieldsV1": { type: "object" },
};

function typeSchema({ type }: Field, schemas: Record<string, Schema>): Schema {
  if (type.kind === "enum") return { type: "string", enum: type.names };
  if (type.kind === "message") {
    const { wrappedField, name } = type.message;
    if (IN_JSON[name]) return IN_JSON[name];
    return wrappedField ? propertySchema(wrappedField, schemas) : referenceTo(type.message, schemas);
  }
  switch (type.scalar) {
    case "bool":
      return { type: "boolean" };
    case "double":
    case "number":
      return { type: "number" };
    case "int32":
    case "int64":
    case "uint32":
    case "uint64":
    case "fixed64":
      return { type: "integer", format: type.scalar };
    case "bytes":
      return { type: "string", format: "byte" };
    case "json":
      return { type: "object" };
    case "string":
    case "anyString":
    case "hex":
      return { type: "string" };
  }
}

/** A reference to the schema of a message, which is added if missing. */
function referenceTo(message: MessageType, schemas: Record<string, Schema>): Schema {
  const name = message.name === "meta.ObjectMeta" ? OBJECT_META : `io.k8s.api.${message.name}`;
  if (!Object.hasOwn(schemas, name)) {
    schemas[name] = {}; // before its fields, one of which may lead back to it
    schemas[name] = { type: "object", properties: propertiesOf(message, schemas) };
  }
  return { $ref: `#/components/schemas/${name}` };
}
