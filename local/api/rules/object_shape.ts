/** The types that every object must have so that the server can process it. Values are not checked. */
import type { KubeObject } from "@tiphys/kube";
import { MAX_FIELD_MANAGERS } from "../limits.ts";
import type { ServedResource } from "../served_resource.ts";
import { badRequest } from "../status_error.ts";
import { isObject } from "@tiphys/base/fields_of";

type Fields = Record<string, unknown>;
type Shape = "text" | "texts" | "map of texts" | "list of objects" | "object";

const METADATA: Readonly<Record<string, Shape>> = {
  name: "text",
  generateName: "text",
  namespace: "text",
  uid: "text",
  resourceVersion: "text",
  labels: "map of texts",
  annotations: "map of texts",
  finalizers: "texts",
  ownerReferences: "list of objects",
  managedFields: "list of objects",
};

/** The fields of kinds that the server reads. */
const KINDS: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  Pod: {
    "spec": "object",
    "spec.containers": "list of objects",
    "spec.initContainers": "list of objects",
    "spec.volumes": "list of objects",
    "status": "object",
    "status.containerStatuses": "list of objects",
    "status.initContainerStatuses": "list of objects",
    "status.conditions": "list of objects",
  },
  Secret: { data: "map of texts", stringData: "map of texts" },
  ConfigMap: { data: "map of texts", binaryData: "map of texts" },
  CustomResourceDefinition: {
    "spec": "object",
    "spec.names": "object",
    "spec.versions": "list of objects",
  },
};

/** @throws {StatusError} 400 with the path of a value of the wrong type. */
export function checkShape(object: KubeObject, resource: ServedResource): void {
  const metadata: Fields = object.metadata;
  for (const [field, shape] of Object.entries(METADATA)) {
    checkValue(metadata[field], shape, `metadata.${field}`, resource);
  }
  checkOwners(metadata.managedFields, resource);
  if (!resource.builtIn) return;
  for (const [path, shape] of Object.entries(KINDS[resource.kind] ?? {})) {
    checkValue(valueAt(object, path), shape, path, resource);
  }
  if (resource.kind !== "Pod") return;
  for (const list of ["containers", "initContainers"]) {
    const containers = (valueAt(object, `spec.${list}`) ?? []) as Fields[];
    for (const [index, container] of containers.entries()) {
      for (const field of ["volumeMounts", "env", "envFrom", "ports"]) {
        checkValue(container[field], "list of objects", `spec.${list}[${index}].${field}`, resource);
      }
    }
  }
}

/** @throws {StatusError} 400 if an object has more field managers than a write can process. */
function checkOwners(managedFields: unknown, { kind, version }: ServedResource): void {
  if (!Array.isArray(managedFields) || managedFields.length <= MAX_FIELD_MANAGERS) return;
  throw badRequest(
    `${kind} in version "${version}" cannot be handled as a ${kind}: metadata.managedFields: ` +
      `Too many: ${managedFields.length}: must have at most ${MAX_FIELD_MANAGERS} items`,
  );
}

function checkValue(value: unknown, shape: Shape, path: string, { kind, version }: ServedResource): void {
  if (value === undefined || value === null || matchesShape(value, shape)) return;
  throw badRequest(
    `${kind} in version "${version}" cannot be handled as a ${kind}: ${path}: expected a ${shape}, got ` +
      JSON.stringify(value).slice(0, 100),
  );
}

function matchesShape(value: unknown, shape: Shape): boolean {
  switch (shape) {
    case "text":
      return typeof value === "string";
    case "texts":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "map of texts":
      // A key without a value means an empty string.
      return isObject(value) && Object.values(value).every((field) => field === null || typeof field === "string");
    case "list of objects":
      return Array.isArray(value) && value.every(isObject);
    case "object":
      return isObject(value);
  }
}

function valueAt(object: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, field) => (value as Fields | undefined)?.[field], object);
}
