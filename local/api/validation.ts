/** The rules every object must keep, and those of pods as far as a kubelet relies on them. */

import { type KubeObject, parseLabelSelector } from "../../lib/kube/mod.ts";
import type { ServedResource } from "./served_resource.ts";
import type { Cause } from "./status_error.ts";

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const qualifiedName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const labelText = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must " +
  "start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " +
  "and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const labelValueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " +
  "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for " +
  "validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const qualifiedNameText =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

function wrong(field: string, value: unknown, why: string): Cause {
  return { reason: "FieldValueInvalid", field, message: `Invalid value: ${JSON.stringify(value)}: ${why}` };
}

function missing(field: string, why = ""): Cause {
  return { reason: "FieldValueRequired", field, message: why ? `Required value: ${why}` : "Required value" };
}

/** What is wrong with an object's metadata. */
export function metadataCauses(object: KubeObject, resource: ServedResource): Cause[] {
  const { name = "", labels = {}, annotations = {}, ownerReferences = [] } = object.metadata;
  return [
    ...nameCauses(name, resource),
    ...Object.entries(labels).flatMap(([key, value]) => labelCauses(key, value)),
    ...Object.keys(annotations).flatMap((key) => keyCauses("metadata.annotations", key.toLowerCase())),
    ...ownerReferences.flatMap((owner, index) => {
      const field = `metadata.ownerReferences[${index}]`;
      return (["apiVersion", "kind", "name", "uid"] as const).flatMap((part) =>
        owner[part] ? [] : [wrong(`${field}.${part}`, owner[part] ?? "", "must not be empty")]
      );
    }),
  ];
}

function nameCauses(name: string, resource: ServedResource): Cause[] {
  const field = "metadata.name";
  if (name === "") return [missing(field, "name or generateName is required")];
  if (resource.group === "rbac.authorization.k8s.io") {
    return /[/%]/.test(name) || name === "." || name === ".." ? [wrong(field, name, "may not contain '/' or '%'")] : [];
  }
  if (name.length > 253) return [wrong(field, name, "must be no more than 253 bytes")];
  if (resource.plural === "namespaces" || resource.plural === "services") {
    return label.test(name) && name.length <= 63 ? [] : [wrong(field, name, labelText)];
  }
  return subdomain.test(name) ? [] : [wrong(field, name, subdomainText)];
}

function labelCauses(key: string, value: unknown): Cause[] {
  const field = "metadata.labels";
  const causes = keyCauses(field, key);
  if (typeof value !== "string") return [...causes, wrong(field, value, "must be a string")];
  if (value.length > 63) causes.push(wrong(field, value, "must be no more than 63 bytes"));
  if (value !== "" && !qualifiedName.test(value)) causes.push(wrong(field, value, labelValueText));
  return causes;
}

function keyCauses(field: string, key: string): Cause[] {
  const parts = key.split("/");
  const name = parts.pop()!;
  if (parts.length > 1 || name.length > 63 || !qualifiedName.test(name)) return [wrong(field, key, qualifiedNameText)];
  if (parts.length === 1 && !subdomain.test(parts[0]!)) return [wrong(field, key, `prefix part ${subdomainText}`)];
  return [];
}

type Fields = Record<string, unknown>;

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value as Fields[] : [];
}

/** What is wrong with the specification of a built-in kind. */
export function specCauses(object: KubeObject, resource: ServedResource): Cause[] {
  const spec = (object.spec ?? {}) as Fields;
  if (resource.builtIn && resource.plural === "pods") return podCauses(spec);
  if (resource.builtIn && resource.plural === "poddisruptionbudgets") return selectorCauses(spec.selector);
  return [];
}

function selectorCauses(selector: unknown): Cause[] {
  if (selector === undefined || selector === null) return [];
  try {
    parseLabelSelector(selector);
    return [];
  } catch (error) {
    return [wrong("spec.selector", selector, error instanceof Error ? error.message : String(error))];
  }
}

function podCauses(spec: Fields): Cause[] {
  const containers = listOf(spec.containers);
  if (containers.length === 0) return [missing("spec.containers")];
  const volumes = new Set(listOf(spec.volumes).map((volume) => volume.name));
  const names = new Set<unknown>();
  return [
    ...uniqueVolumes(listOf(spec.volumes)),
    ...containers.flatMap((c, index) => containerCauses(`spec.containers[${index}]`, c, names, volumes)),
    ...listOf(spec.initContainers).flatMap((c, index) =>
      containerCauses(`spec.initContainers[${index}]`, c, names, volumes)
    ),
  ];
}

function uniqueVolumes(volumes: readonly Fields[]): Cause[] {
  const names = new Set<unknown>();
  return volumes.flatMap((volume, index) => {
    const field = `spec.volumes[${index}].name`;
    if (typeof volume.name !== "string" || volume.name === "") return [missing(field)];
    if (names.has(volume.name)) return [duplicate(field, volume.name)];
    names.add(volume.name);
    return label.test(volume.name) && volume.name.length <= 63 ? [] : [wrong(field, volume.name, labelText)];
  });
}

function duplicate(field: string, value: unknown): Cause {
  return { reason: "FieldValueDuplicate", field, message: `Duplicate value: ${JSON.stringify(value)}` };
}

function containerCauses(field: string, container: Fields, names: Set<unknown>, volumes: Set<unknown>): Cause[] {
  const causes: Cause[] = [];
  const { name, image } = container;
  if (typeof name !== "string" || name === "") causes.push(missing(`${field}.name`));
  else if (!label.test(name) || name.length > 63) causes.push(wrong(`${field}.name`, name, labelText));
  else if (names.has(name)) causes.push(duplicate(`${field}.name`, name));
  names.add(name);
  if (typeof image !== "string" || image.trim() === "") causes.push(missing(`${field}.image`));
  const paths = new Set<unknown>();
  listOf(container.volumeMounts).forEach((mount, index) => {
    const at = `${field}.volumeMounts[${index}]`;
    if (!volumes.has(mount.name)) {
      causes.push({
        reason: "FieldValueNotFound",
        field: `${at}.name`,
        message: `Not found: ${JSON.stringify(mount.name)}`,
      });
    }
    if (!mount.mountPath) causes.push(missing(`${at}.mountPath`));
    else if (paths.has(mount.mountPath)) {
      causes.push(wrong(`${at}.mountPath`, mount.mountPath, "must be unique"));
    }
    paths.add(mount.mountPath);
  });
  listOf(container.env).forEach((variable, index) => {
    if (!variable.name) causes.push(missing(`${field}.env[${index}].name`));
  });
  return causes;
}
