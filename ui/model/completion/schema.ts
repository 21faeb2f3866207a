/** The schema of manifests as completion reads it: the fields and the values that may stand at a path. Pure. */
import { ITEM } from "./outline.ts";

/** A part of the schema: a draft 7 as `manifests/schema/workflows.json` has it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/** The whole schema. */
export interface SchemaFile {
  readonly definitions: Readonly<Record<string, Schema>>;
}

/** The part of the schema at a path below a kind; undefined where the schema knows none. */
export function schemaAt(file: SchemaFile, kind: string, path: readonly string[]): Schema | undefined {
  let part = Object.hasOwn(file.definitions, kind) ? resolved(file, file.definitions[kind]) : undefined;
  for (const name of path) {
    if (!part) return undefined;
    if (name === ITEM) part = resolved(file, part.items);
    else if (part.properties && Object.hasOwn(part.properties, name)) part = resolved(file, part.properties[name]);
    else part = typeof part.additionalProperties === "object" ? resolved(file, part.additionalProperties) : undefined;
  }
  return part;
}

/** What a reference stands for. */
export function resolved({ definitions }: SchemaFile, part: Schema | undefined): Schema | undefined {
  const name = part?.$ref?.split("/").at(-1);
  return name === undefined ? part : definitions[name];
}

/** The values that a field may have; none where it takes any. */
export function valuesOf(part: Schema): readonly string[] {
  if (part.const !== undefined) return [String(part.const)];
  if (part.enum) return part.enum.map(String);
  return part.type === "boolean" ? ["true", "false"] : [];
}

/** What a field takes, in words: `list of objects`, `text`, `one of Always, Never`. */
export function typeText(file: SchemaFile, part: Schema): string {
  const values = part.type === "boolean" ? [] : valuesOf(part);
  if (values.length === 1) return `always ${values[0]}`;
  if (values.length > 1) return `one of ${values.join(", ")}`;
  if (part.items) {
    const item = resolved(file, part.items);
    return item ? `list of ${wordOf(item).replace(/^(object|text|number|list)$/, "$1s")}` : "list";
  }
  return wordOf(part);
}

const WORDS: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  object: "object",
  array: "list",
  null: "nothing",
};

function wordOf({ type }: Schema): string {
  if (type === undefined) return "anything";
  return (typeof type === "string" ? [type] : type).map((one) => WORDS[one] ?? one).join(" or ");
}
