/** Lookups in the JSON schema of manifests for completion: fields and values at a path. Pure. */
import * as words from "../text/en/editor.ts";
import { ITEM } from "./outline.ts";

/** A part of the schema: JSON Schema draft 7, as in `manifests/schema/workflows.json`. */
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

/** Returns the part of the schema at a path below a kind, or undefined. */
export function schemaAt(file: SchemaFile, kind: string, path: readonly string[]): Schema | undefined {
  let part = Object.hasOwn(file.definitions, kind) ? resolveReference(file, file.definitions[kind]) : undefined;
  for (const name of path) {
    if (!part) return undefined;
    if (name === ITEM) part = resolveReference(file, part.items);
    else if (part.properties && Object.hasOwn(part.properties, name)) {
      part = resolveReference(file, part.properties[name]);
    } else {part = typeof part.additionalProperties === "object"
        ? resolveReference(file, part.additionalProperties)
        : undefined;}
  }
  return part;
}

/** Types of Kubernetes, which the documentation of Kubernetes describes. */
export const KUBERNETES: ReadonlySet<string> = new Set(
  ("Affinity ConfigMapKeySelector ContainerPort EnvFromSource EnvVar EnvVarSource HostAlias Lifecycle " +
    "LocalObjectReference PersistentVolumeClaim PodDNSConfig PodDisruptionBudgetSpec PodResourceClaim " +
    "PodSecurityContext Probe ResourceRequirements SecretKeySelector SecurityContext Toleration Volume VolumeDevice " +
    "VolumeMount").split(" "),
);

/** Returns the innermost type on a path below a kind that has a section in `docs/reference/fields.md`. */
export function documentedTypeAt(file: SchemaFile, kind: string, path: readonly string[]): string {
  const names = path.map((_, length) => {
    const parent = schemaAt(file, kind, path.slice(0, length));
    return Object.keys(file.definitions).find((name) => file.definitions[name] === parent);
  });
  return names.findLast((name) => name !== undefined && !KUBERNETES.has(name)) ?? kind;
}

/** Resolves a reference. */
export function resolveReference({ definitions }: SchemaFile, part: Schema | undefined): Schema | undefined {
  const name = part?.$ref?.split("/").at(-1);
  return name === undefined ? part : definitions[name];
}

/** Returns the allowed values of a field; empty if it accepts any value. */
export function valuesOf(part: Schema): readonly string[] {
  if (part.const !== undefined) return [String(part.const)];
  if (part.enum) return part.enum.map(String);
  return part.type === "boolean" ? ["true", "false"] : [];
}

/** Describes the type of a field: `list of objects`, `text`, `one of Always, Never`. */
export function typeText(file: SchemaFile, part: Schema): string {
  const values = part.type === "boolean" ? [] : valuesOf(part);
  if (values.length === 1) return words.always(values[0]!);
  if (values.length > 1) return words.oneOf(values);
  if (part.items) {
    const item = resolveReference(file, part.items);
    return item ? words.listOf(typeWordOf(item, MANY)) : words.list;
  }
  return typeWordOf(part);
}

/** The names of types, singular and plural. */
const ONE: Readonly<Record<string, string>> = {
  string: words.text,
  integer: words.wholeNumber,
  number: words.number,
  boolean: words.trueOrFalse,
  object: words.object,
  array: words.list,
  null: words.nothing,
};
const MANY: Readonly<Record<string, string>> = {
  ...ONE,
  string: words.texts,
  integer: words.wholeNumbers,
  number: words.numbers,
  object: words.objects,
  array: words.lists,
};

function typeWordOf({ type }: Schema, kinds = ONE): string {
  if (type === undefined) return words.anything;
  return words.either((typeof type === "string" ? [type] : type).map((kind) => kinds[kind] ?? kind));
}
