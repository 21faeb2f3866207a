/** The known fields of kinds. Other fields are reported to the writer and removed, as in Kubernetes. */

import type { z } from "zod";
import type { MessageType } from "@tiphys/proto";
import { formatPath } from "@tiphys/base/field_path";
import { isKindName, KINDS } from "@tiphys/model/api/kinds";
import { type Structure, structureOf } from "@tiphys/model/api/structure";
import { fieldsOf, isObject } from "@tiphys/base/fields_of";
import type { KubeObject } from "@tiphys/kube";
import { apiVersionOf } from "@tiphys/kube/resources";
import { builtInMessage } from "../described/built_in_messages.ts";
import type { ServedResource } from "../served_resource.ts";
import { badRequest, listedTexts, StatusError } from "../status_error.ts";

/** The fields of a type. */
type FieldTree =
  | { readonly kind: "object"; readonly field: (name: string) => FieldTree | undefined }
  | { readonly kind: "list"; readonly each: FieldTree }
  | { readonly kind: "map"; readonly each: FieldTree }
  | { readonly kind: "anything" };

type Path = readonly (string | number)[];

/** An object with only the fields of its kind, and the paths of the removed ones. */
export interface KnownPart {
  readonly object: KubeObject;
  readonly unknown: readonly string[];
}

const ANYTHING: FieldTree = { kind: "anything" };

/** Removes unknown fields from an object. An object without unknown fields is returned itself. */
export function knownPart(object: KubeObject, resource: ServedResource): KnownPart {
  const known = knownFieldsOf(resource);
  if (known === undefined) return { object, unknown: [] };
  const unknown: Path[] = [];
  const part = removeUnknown(object, known, [], unknown) as KubeObject;
  return { object: part, unknown: unknown.map(formatPath) };
}

/**
 * Refuses an apply with unknown fields, which could have no owner.
 * @throws {StatusError} 500, as in Kubernetes.
 */
export function refuseUnknown(object: KubeObject, resource: ServedResource): void {
  const { unknown } = knownPart(object, resource);
  if (unknown.length === 0) return;
  const { namespace, name } = object.metadata;
  const place = namespace === undefined ? name : `${namespace}/${name}`;
  const version = resource.group === "" ? `/${resource.version}` : apiVersionOf(resource);
  const faults = listedTexts(unknown.map((path) => `.${path}: field not declared in schema`));
  const text = faults.length === 1 ? faults[0] : `errors:\n${faults.map((fault) => `  ${fault}`).join("\n")}`;
  const message = `failed to create typed patch object (${place}; ${version}, Kind=${resource.kind}): ${text}`;
  throw new StatusError(500, "", message);
}

/** The error for unknown fields in a strict request, with status 400. */
export function unknownRefusal({ kind, version }: ServedResource, unknown: readonly string[]): StatusError {
  const faults = listedTexts(unknown.map((path) => `unknown field "${path}"`)).join(", ");
  return badRequest(
    `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${faults}`,
  );
}

function knownFieldsOf({ builtIn, group, kind, schema }: ServedResource): FieldTree | undefined {
  if (builtIn) {
    const message = builtInMessage(group, kind);
    return message && withType(messageFields(message));
  }
  if (isObject(schema)) return definedKind(schema);
  if (group !== "argoproj.io" || !isKindName(kind)) return undefined;
  const root = schemaFields(KINDS[kind].schema);
  if (root.kind !== "object") return undefined;
  const metadata = messageFields(builtInMessage("meta", "ObjectMeta")!);
  return withType({
    kind: "object",
    field: (name) => name === "status" ? ANYTHING : name === "metadata" ? metadata : root.field(name),
  });
}

/** Adds the fields `apiVersion` and `kind` to an object. */
function withType(tree: FieldTree): FieldTree {
  if (tree.kind !== "object") return tree;
  return { kind: "object", field: (name) => name === "apiVersion" || name === "kind" ? ANYTHING : tree.field(name) };
}

const ofMessages = new WeakMap<MessageType, FieldTree>();

/** The fields of a message, including those of inlined messages. */
function messageFields(message: MessageType): FieldTree {
  const found = ofMessages.get(message);
  if (found) return found;
  if (message.wrappedField !== undefined || isScalarInJson(message)) return ANYTHING;
  const fields = new Map<string, () => FieldTree>();
  const known: FieldTree = { kind: "object", field: (name) => fields.get(name)?.() };
  ofMessages.set(message, known);
  const add = ({ fields: own }: MessageType) => {
    for (const { name, type, shape, isInline } of own) {
      if (isInline && type.kind === "message") {
        add(type.message);
        continue;
      }
      fields.set(name, () => {
        const each = type.kind === "message" ? messageFields(type.message) : ANYTHING;
        return shape === "one" ? each : { kind: shape, each };
      });
    }
  };
  add(message);
  return known;
}

/** Messages that are a string or a number in JSON. */
function isScalarInJson({ name }: MessageType): boolean {
  return ["meta.Time", "meta.MicroTime", "intstr.IntOrString"].includes(name);
}

const ofDefinitions = new WeakMap<object, FieldTree>();

/** The fields of a kind with a CustomResourceDefinition. */
function definedKind(schema: object): FieldTree {
  const known = ofDefinitions.get(schema) ?? withMetadata(definedFields(schema));
  ofDefinitions.set(schema, known);
  return known;
}

function withMetadata(tree: FieldTree): FieldTree {
  if (tree.kind !== "object") return tree;
  const metadata = messageFields(builtInMessage("meta", "ObjectMeta")!);
  return withType({ kind: "object", field: (name) => name === "metadata" ? metadata : tree.field(name) });
}

/** The fields of an OpenAPI schema by the pruning rules of Kubernetes. */
function definedFields(schema: unknown): FieldTree {
  const { properties, additionalProperties, items, type, ...rules } = fieldsOf(schema);
  const isOpen = rules["x-kubernetes-preserve-unknown-fields"] === true;
  if (items !== undefined) return { kind: "list", each: definedFields(items) };
  if (isObject(additionalProperties)) return { kind: "map", each: definedFields(additionalProperties) };
  if (type !== "object" || (isOpen && properties === undefined)) return ANYTHING;
  const fields = new Map(Object.entries(fieldsOf(properties)).map(([name, field]) => [name, definedFields(field)]));
  return { kind: "object", field: (name) => fields.get(name) ?? (isOpen ? ANYTHING : undefined) };
}

const ofSchemas = new WeakMap<z.core.$ZodType, FieldTree>();

/** The fields of a schema, cached because a workflow may have a hundred thousand values of one schema. */
function schemaFields(schema: z.core.$ZodType): FieldTree {
  const known = ofSchemas.get(schema) ?? fieldsOfStructure(structureOf(schema));
  ofSchemas.set(schema, known);
  return known;
}

function fieldsOfStructure(structure: Structure): FieldTree {
  switch (structure.kind) {
    case "list":
      return { kind: "list", each: schemaFields(structure.element) };
    case "map":
      return { kind: "map", each: schemaFields(structure.value) };
    case "object":
      return {
        kind: "object",
        field(name) {
          const field = Object.hasOwn(structure.shape, name) ? structure.shape[name] : undefined;
          return field === undefined ? (structure.open ? ANYTHING : undefined) : schemaFields(field);
        },
      };
    default:
      return ANYTHING;
  }
}

/**
 * Removes unknown parts of a value. Returns the same value if it has no unknown parts. `path` is the path of the value;
 * it is restored.
 */
function removeUnknown(value: unknown, tree: FieldTree, path: (string | number)[], unknown: Path[]): unknown {
  if (tree.kind === "anything") return value;
  const below = (step: string | number, part: unknown, each: FieldTree) => {
    path.push(step);
    const left = removeUnknown(part, each, path, unknown);
    path.pop();
    return left;
  };
  if (tree.kind === "list") {
    if (!Array.isArray(value)) return value;
    const items = value.map((item, index) => below(index, item, tree.each));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value)) return value;
  const changed = new Map<string, unknown>();
  let isWhole = true;
  for (const name of Object.keys(value)) {
    const field = tree.kind === "map" ? tree.each : tree.field(name);
    if (field === undefined) {
      unknown.push([...path, name]);
      isWhole = false;
    } else {
      const part = below(name, value[name], field);
      if (part !== value[name]) changed.set(name, part);
    }
  }
  if (isWhole && changed.size === 0) return value;
  const kept = Object.entries(value).filter(([name]) => tree.kind === "map" || tree.field(name) !== undefined);
  return Object.fromEntries(kept.map(([name, part]) => [name, changed.has(name) ? changed.get(name) : part]));
}
