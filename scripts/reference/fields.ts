/** The page of the fields of all kinds, from the schemas of `lib/model/api` and their comments. */
import type { z } from "zod";
import * as api from "@tiphys/model/api";
import { FIELD_NOTES } from "./field_notes.ts";
import { generatedFrom, table } from "./markdown.ts";

const { isOptional, isRecursive, KINDS, structureOf, withoutOptional } = api;

/** Kinds that people write. Task sets, task results and garbage collection tasks are for the controller and its pods. */
const KIND_NAMES = [
  "Workflow",
  "WorkflowTemplate",
  "ClusterWorkflowTemplate",
  "CronWorkflow",
  "WorkflowEventBinding",
] as const;

const SCHEMAS = new URL("../../lib/model/api/", import.meta.url);

/** Every schema with a name; locations of artifacts are named after their field. */
const NAMES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ...Object.entries(api).filter(([name]) => /^[A-Z]/.test(name)).map(([name, schema]) => [schema, name] as const),
  ...Object.entries(api.storeSchemas).map(([name, schema]) => [schema, `${name}Artifact`] as const),
]);

/** The text of `docs/reference/fields.md`. @throws when a note names a field that does not exist. */
export async function fieldsPage(): Promise<string> {
  const comments = await commentsOf(SCHEMAS);
  const kubernetes = await commentsOf(new URL("core/", SCHEMAS));
  const types = new Map<string, z.core.$ZodType>();
  for (const kind of KIND_NAMES) collectTypes(kind, KINDS[kind].schema, types, kubernetes);
  checkNotesAreUsed(types);
  const [kinds, others] = [KIND_NAMES.map(String), [...types.keys()].filter((name) => !(name in KINDS)).sort()];
  const sections = [...kinds, ...others].map((name) => section(name, types.get(name)!, { types, comments }));
  return `${generatedFrom("lib/model/api and scripts/reference")}

# Fields

Every field of \`argoproj.io/v1alpha1\` that you can write, with its type. **Bold** fields are required. \`[X]\` is a list
of X, \`{X}\` a map from names to X. Types without a section, such as \`Container\`, are those of Kubernetes:
\`kubectl explain pod.spec\` describes them. Fields of a status are not listed.

Kinds: ${kinds.map(link).join(", ")}.

${sections.join("\n\n")}
`;
}

type Types = Map<string, z.core.$ZodType>;

/** Adds a type and those that its fields use. */
function collectTypes(
  name: string,
  schema: z.core.$ZodType,
  types: Types,
  kubernetes: ReadonlyMap<string, string>,
): void {
  if (types.has(name)) return;
  types.set(name, schema);
  for (const field of Object.values(shapeOf(schema))) {
    for (const [used, inner] of namedTypesIn(field)) {
      if (!kubernetes.has(used)) collectTypes(used, inner, types, kubernetes);
    }
  }
}

/** The fields of an object; the status is left out. */
function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const structure = structureOf(schema);
  if (structure.kind !== "object") return {};
  const { status: _, ...shape } = structure.shape;
  return shape;
}

/** The named objects that a field's type is made of. */
function namedTypesIn(field: z.core.$ZodType): [name: string, schema: z.core.$ZodType][] {
  const inner = isRecursive(field) ? api.Template : withoutOptional(field);
  const structure = structureOf(inner);
  const name = NAMES.get(inner);
  if (name !== undefined && structure.kind === "object") return [[name, inner]];
  if (structure.kind === "list") return namedTypesIn(structure.element);
  if (structure.kind === "map") return namedTypesIn(structure.value);
  return structure.kind === "object" ? Object.values(structure.shape).flatMap(namedTypesIn) : [];
}

interface Context {
  readonly types: Types;
  readonly comments: ReadonlyMap<string, string>;
}

function section(name: string, schema: z.core.$ZodType, context: Context): string {
  const shape = Object.entries(shapeOf(schema)).filter(([field]) => !["apiVersion", "kind"].includes(field));
  const rows = shape.map(([field, type]) => [
    isOptional(type) ? `\`${field}\`` : `**\`${field}\`**`,
    typeText(type, context),
    FIELD_NOTES[name]?.[field] ?? commentOf(type, context),
  ]);
  const comment = context.comments.get(name);
  return [`## ${name}`, ...comment ? [`${comment}.`] : [], table(["Field", "Type", "Description"], rows)].join("\n\n");
}

/** The comment of the named type of a field, or of its elements. */
function commentOf(field: z.core.$ZodType, context: Context): string {
  const inner = isRecursive(field) ? api.Template : withoutOptional(field);
  const structure = structureOf(inner);
  if (structure.kind === "list") return commentOf(structure.element, context);
  if (structure.kind === "map") return commentOf(structure.value, context);
  return context.comments.get(NAMES.get(inner) ?? "") ?? "";
}

/** A type in words: a link for a type with a section. */
function typeText(field: z.core.$ZodType, context: Context): string {
  const inner = isRecursive(field) ? api.Template : withoutOptional(field);
  const structure = structureOf(inner);
  const name = NAMES.get(inner);
  switch (structure.kind) {
    case "object": {
      if (name !== undefined) return context.types.has(name) ? link(name) : `\`${name}\``;
      const fields = Object.keys(structure.shape);
      return fields.length === 0 ? "object" : `object: ${fields.map((one) => `\`${one}\``).join(", ")}`;
    }
    case "list":
      return `[${typeText(structure.element, context)}]`;
    case "map":
      return `{${typeText(structure.value, context)}}`;
    case "enum":
      return structure.values.filter(Boolean).map((value) => `\`${value}\``).join(", ");
    case "number":
      return structure.format === "float" ? "number" : "integer";
    case "wire":
      return WIRE[structure.form];
    default:
      return structure.kind;
  }
}

const WIRE: Readonly<Record<api.WireForm, string>> = {
  anyString: "string",
  intOrString: "integer or string",
  quantity: "quantity",
  time: "time",
  json: "any",
};

function link(name: string): string {
  return `[${name}](#${name.toLowerCase()})`;
}

/** The first sentence of the comment of each exported schema in a folder, by name. */
async function commentsOf(folder: URL): Promise<Map<string, string>> {
  const comments = new Map<string, string>();
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (!isFile || !/^[a-z_]+\.ts$/.test(name) || name.endsWith("_test.ts")) continue;
    const text = await Deno.readTextFile(new URL(name, folder));
    for (const [, comment = "", type = ""] of text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const (\w+)/g)) {
      const words = comment.replace(/\s*\n \*\s*/g, " ").trim();
      comments.set(type, (/^(.*?)\.(?:\s|$)/.exec(words)?.[1] ?? words).replace(/\{@link (\w+)\}/g, "`$1`"));
    }
  }
  return comments;
}

/** @throws for a note about a type or field that the page does not have. */
function checkNotesAreUsed(types: Types): void {
  const stray = Object.entries(FIELD_NOTES).flatMap(([type, notes]) => {
    const shape = types.has(type) ? shapeOf(types.get(type)!) : {};
    return Object.keys(notes).filter((field) => !Object.hasOwn(shape, field)).map((field) => `${type}.${field}`);
  });
  if (stray.length > 0) throw new Error(`scripts/reference/field_notes.ts: no field ${stray.join(", ")}`);
}
