import type { z } from "zod";
import * as api from "@tiphys/model/api";
import {
  API_VERSION,
  isOptional,
  isRecursive,
  type Json,
  type KindName,
  KINDS,
  type Structure,
  structureOf,
  withoutOptional,
} from "@tiphys/model/api";

/** A JSON schema, draft 7. */
export type JsonSchema = { [key: string]: Json };

/** All named schemas of `lib/model/api`; those of stores are named after their field. */
const NAMES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ...Object.entries(api).filter(([name]) => /^[A-Z]/.test(name)).map(([name, schema]) => [schema, name] as const),
  ...Object.entries(api.storeSchemas).map(([name, schema]) => [schema, `${name}Artifact`] as const),
]);

/** Returns one schema for editors: it distinguishes kinds by `kind`, completes all fields and rejects unknown ones. */
export function editorSchema(): JsonSchema {
  const kinds = Object.keys(KINDS) as KindName[];
  const definitions: Definitions = new Map();
  for (const kind of kinds) definitions.set(kind, kindSchema(kind, definitions));
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: `Kinds of ${API_VERSION}`,
    oneOf: kinds.map((kind) => ({ $ref: `#/definitions/${kind}` })),
    definitions: Object.fromEntries(definitions),
  };
}

type Definitions = Map<string, JsonSchema>;

function kindSchema(kind: KindName, definitions: Definitions): JsonSchema {
  const root = structureOf(KINDS[kind].schema);
  if (root.kind !== "object") throw new TypeError(`The schema of ${kind} is not an object`);
  const { status: _, ...shape } = root.shape;
  const schema = objectSchema(shape, definitions, ["apiVersion", "kind"]);
  return {
    ...schema,
    properties: {
      ...schema.properties as JsonSchema,
      apiVersion: { const: API_VERSION },
      kind: { const: kind },
      status: { type: "object" },
    },
  };
}

/**
 * Returns a reference to the definition of a named schema, which is added; for an unnamed schema, the schema itself.
 */
function schemaOf(schema: z.core.$ZodType, definitions: Definitions): JsonSchema {
  const inner = isRecursive(schema) ? api.Template : withoutOptional(schema);
  const name = NAMES.get(inner);
  const structure = structureOf(inner);
  if (name === undefined || structure.kind !== "object") return structureSchema(structure, definitions);
  if (!definitions.has(name)) {
    definitions.set(name, {}); // before its fields, one of which may be the schema itself
    definitions.set(name, structureSchema(structure, definitions));
  }
  return { $ref: `#/definitions/${name}` };
}

function structureSchema(structure: Structure, definitions: Definitions): JsonSchema {
  switch (structure.kind) {
    case "object":
      return { ...objectSchema(structure.shape, definitions), additionalProperties: structure.open };
    case "list":
      return { type: "array", items: schemaOf(structure.element, definitions) };
    case "map":
      return { type: "object", additionalProperties: schemaOf(structure.value, definitions) };
    case "enum":
      return { enum: [...structure.values] };
    case "number":
      return { type: structure.format === "float" ? "number" : "integer" };
    case "string":
    case "boolean":
      return { type: structure.kind };
    case "wire":
      return WIRE[structure.form];
  }
}

const WIRE: Readonly<Record<(Structure & { kind: "wire" })["form"], JsonSchema>> = {
  anyString: { type: ["string", "number", "boolean"] },
  quantity: { type: ["string", "number"] },
  intOrString: { type: ["integer", "string"] },
  time: { type: ["string", "null"], format: "date-time" },
  json: {},
};

function objectSchema(
  shape: Readonly<Record<string, z.core.$ZodType>>,
  definitions: Definitions,
  alsoRequired: string[] = [],
): JsonSchema {
  const fields = Object.entries(shape);
  const required = fields.filter(([, field]) => !isOptional(field)).map(([name]) => name).concat(alsoRequired);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(field, definitions)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}
