/** The fields that a kind has: others are told to the writer and left out, as Kubernetes does. */

import type { z } from "zod";
import type { MessageType } from "@tiphys/proto";
import { formatPath } from "@tiphys/base/field_path";
import { isKindName, KINDS } from "@tiphys/model/api/kinds";
import { type Structure, structureOf } from "@tiphys/model/api/structure";
import { fieldsOf, isObject } from "@tiphys/base/fields_of";
import { apiVersionOf, type KubeObject } from "@tiphys/kube";
import { builtInMessage } from "../described/built_in_messages.ts";
import type { ServedResource } from "../served_resource.ts";
import { badRequest, StatusError } from "../status_error.ts";

/** A type as far as its fields go. */
type Known =
  | { readonly kind: "object"; readonly field: (name: string) => Known | undefined }
  | { readonly kind: "list"; readonly each: Known }
  | { readonly kind: "map"; readonly each: Known }
  | { readonly kind: "anything" };

type Path = readonly (string | number)[];

/** An object with the fields of its kind only, and the paths of the others. */
export interface KnownPart {
  readonly object: KubeObject;
  readonly unknown: readonly string[];
}

const ANYTHING: Known = { kind: "anything" };

/** Leaves out the fields that the kind of an object does not have; an object that has no others stays the same. */
export function knownPart(object: KubeObject, resource: ServedResource): KnownPart {
  const known = knownOf(resource);
  if (known === undefined) return { object, unknown: [] };
  const unknown: Path[] = [];
  const part = cut(object, known, [], unknown) as KubeObject;
  return { object: part, unknown: unknown.map(formatPath) };
}

/**
 * Refuses what is applied with fields that its kind does not have: nobody could own them.
 * @throws {StatusError} 500, as Kubernetes has it.
 */
export function refuseUnknown(object: KubeObject, resource: ServedResource): void {
  const { unknown } = knownPart(object, resource);
  if (unknown.length === 0) return;
  const { namespace, name } = object.metadata;
  const place = namespace === undefined ? name : `${namespace}/${name}`;
  const version = resource.group === "" ? `/${resource.version}` : apiVersionOf(resource);
  const faults = unknown.map((path) => `.${path}: field not declared in schema`);
  const said = faults.length === 1 ? faults[0] : `errors:\n${faults.map((fault) => `  ${fault}`).join("\n")}`;
  const message = `failed to create typed patch object (${place}; ${version}, Kind=${resource.kind}): ${said}`;
  throw new StatusError(500, "", message);
}

/** @throws {StatusError} 400 for a writer that wants no unknown fields. */
export function unknownRefusal({ kind, version }: ServedResource, unknown: readonly string[]): StatusError {
  const faults = unknown.map((path) => `unknown field "${path}"`).join(", ");
  return badRequest(
    `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${faults}`,
  );
}

function knownOf({ builtIn, group, kind, schema }: ServedResource): Known | undefined {
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

/** An object that says which kind it is. */
function withType(known: Known): Known {
  if (known.kind !== "object") return known;
  return { kind: "object", field: (name) => name === "apiVersion" || name === "kind" ? ANYTHING : known.field(name) };
}

const ofMessages = new WeakMap<MessageType, Known>();

/** The fields of a message; those of its inline messages stand among them. */
function messageFields(message: MessageType): Known {
  const found = ofMessages.get(message);
  if (found) return found;
  if (message.standsFor !== undefined || isScalarInJson(message)) return ANYTHING;
  const fields = new Map<string, () => Known>();
  const known: Known = { kind: "object", field: (name) => fields.get(name)?.() };
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

/** Messages that are a text or a number in JSON. */
function isScalarInJson({ name }: MessageType): boolean {
  return ["meta.Time", "meta.MicroTime", "intstr.IntOrString"].includes(name);
}

const ofDefinitions = new WeakMap<object, Known>();

/** The fields of a kind that a CustomResourceDefinition defines. */
function definedKind(schema: object): Known {
  const known = ofDefinitions.get(schema) ?? withMetadata(definedFields(schema));
  ofDefinitions.set(schema, known);
  return known;
}

function withMetadata(known: Known): Known {
  if (known.kind !== "object") return known;
  const metadata = messageFields(builtInMessage("meta", "ObjectMeta")!);
  return withType({ kind: "object", field: (name) => name === "metadata" ? metadata : known.field(name) });
}

/** The fields of a schema in OpenAPI, by the rules of Kubernetes: those that it does not name are dropped. */
function definedFields(schema: unknown): Known {
  const { properties, additionalProperties, items, type, ...rules } = fieldsOf(schema);
  const isOpen = rules["x-kubernetes-preserve-unknown-fields"] === true;
  if (items !== undefined) return { kind: "list", each: definedFields(items) };
  if (isObject(additionalProperties)) return { kind: "map", each: definedFields(additionalProperties) };
  if (type !== "object" || (isOpen && properties === undefined)) return ANYTHING;
  const fields = new Map(Object.entries(fieldsOf(properties)).map(([name, field]) => [name, definedFields(field)]));
  return { kind: "object", field: (name) => fields.get(name) ?? (isOpen ? ANYTHING : undefined) };
}

const ofSchemas = new WeakMap<z.core.$ZodType, Known>();

/** The fields of a schema; looked up once for each, as a workflow may have a hundred thousand of them. */
function schemaFields(schema: z.core.$ZodType): Known {
  const known = ofSchemas.get(schema) ?? fieldsOfStructure(structureOf(schema));
  ofSchemas.set(schema, known);
  return known;
}

function fieldsOfStructure(structure: Structure): Known {
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

/** A value without what is not known; the same one where it has nothing else. `path` leads to it, and does again afterwards. */
function cut(value: unknown, known: Known, path: (string | number)[], unknown: Path[]): unknown {
  if (known.kind === "anything") return value;
  const below = (step: string | number, part: unknown, each: Known) => {
    path.push(step);
    const left = cut(part, each, path, unknown);
    path.pop();
    return left;
  };
  if (known.kind === "list") {
    if (!Array.isArray(value)) return value;
    const items = value.map((item, index) => below(index, item, known.each));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value)) return value;
  const changed = new Map<string, unknown>();
  let isWhole = true;
  for (const name of Object.keys(value)) {
    const field = known.kind === "map" ? known.each : known.field(name);
    if (field === undefined) {
      unknown.push([...path, name]);
      isWhole = false;
    } else {
      const part = below(name, value[name], field);
      if (part !== value[name]) changed.set(name, part);
    }
  }
  if (isWhole && changed.size === 0) return value;
  const kept = Object.entries(value).filter(([name]) => known.kind === "map" || known.field(name) !== undefined);
  return Object.fromEntries(kept.map(([name, part]) => [name, changed.has(name) ? changed.get(name) : part]));
}
