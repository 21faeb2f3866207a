/** The rules for all objects, and those for pods that a kubelet relies on. */

import type { KubeObject } from "@tiphys/kube";
import { parseLabelSelector } from "@tiphys/kube/selectors";
import { labelValueErrors, qualifiedNameErrors } from "@tiphys/base/selector/label_rules";
import { schemaCauses } from "./defined_schema.ts";
import { dataCauses, holdsData } from "./data_rules.ts";
import { labelRule } from "./names.ts";
import type { ServedResource } from "../served_resource.ts";
import type { Cause } from "../status_error.ts";

function invalidCause(field: string, value: unknown, reason: string): Cause {
  return { reason: "FieldValueInvalid", field, message: `Invalid value: ${JSON.stringify(value)}: ${reason}` };
}

function missingCause(field: string, why = ""): Cause {
  return { reason: "FieldValueRequired", field, message: why ? `Required value: ${why}` : "Required value" };
}

/** Returns the errors of an object's metadata except for its name, which cannot change. */
export function metadataCauses(object: KubeObject): Cause[] {
  const { labels = {}, annotations = {}, ownerReferences = [] } = object.metadata;
  return [
    ...Object.entries(labels).flatMap(([key, value]) => labelCauses(key, value)),
    ...Object.keys(annotations).flatMap((key) => keyCauses("metadata.annotations", key.toLowerCase())),
    ...ownerReferences.flatMap((owner, index) => {
      const field = `metadata.ownerReferences[${index}]`;
      return (["apiVersion", "kind", "name", "uid"] as const).flatMap((part) =>
        owner[part] ? [] : [invalidCause(`${field}.${part}`, owner[part] ?? "", "must not be empty")]
      );
    }),
  ];
}

function labelCauses(key: string, value: unknown): Cause[] {
  const field = "metadata.labels";
  const causes = keyCauses(field, key);
  if (typeof value !== "string") return [...causes, invalidCause(field, value, "must be a string")];
  return [...causes, ...labelValueErrors(value).map((why) => invalidCause(field, value, why))];
}

function keyCauses(field: string, key: string): Cause[] {
  return qualifiedNameErrors(key).map((why) => invalidCause(field, key, why));
}

type Fields = Record<string, unknown>;

/** A field that should be a list; empty if it is something else. */
export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value as Fields[] : [];
}

/**
 * Returns the errors in the content of an object: by the rules of a built-in kind, or by the schema of its definition.
 */
export function specCauses(object: KubeObject, resource: ServedResource): Cause[] {
  if (!resource.builtIn && resource.schema !== undefined) {
    const { metadata: _, ...content } = object;
    return schemaCauses({ ...content, metadata: {} }, resource.schema);
  }
  const spec = (object.spec ?? {}) as Fields;
  if (resource.builtIn && resource.plural === "pods") return podCauses(spec);
  if (resource.builtIn && resource.plural === "poddisruptionbudgets") return selectorCauses(spec.selector);
  if (holdsData(resource)) return dataCauses(object, resource);
  return [];
}

function selectorCauses(selector: unknown): Cause[] {
  if (selector === undefined || selector === null) return [];
  try {
    parseLabelSelector(selector);
    return [];
  } catch (error) {
    return [invalidCause("spec.selector", selector, error instanceof Error ? error.message : String(error))];
  }
}

function podCauses(spec: Fields): Cause[] {
  const containers = listOf(spec.containers);
  if (containers.length === 0) return [missingCause("spec.containers")];
  const volumes = new Set(listOf(spec.volumes).map((volume) => volume.name));
  const names = new Set<unknown>();
  return [
    ...deadlineCauses(spec.activeDeadlineSeconds),
    ...uniqueVolumes(listOf(spec.volumes)),
    ...containers.flatMap((c, index) => containerCauses(`spec.containers[${index}]`, c, names, volumes)),
    ...listOf(spec.initContainers).flatMap((c, index) =>
      containerCauses(`spec.initContainers[${index}]`, c, names, volumes)
    ),
  ];
}

function deadlineCauses(seconds: unknown): Cause[] {
  const largest = 2 ** 31 - 1;
  if (typeof seconds !== "number" || (seconds >= 1 && seconds <= largest)) return [];
  return [invalidCause("spec.activeDeadlineSeconds", seconds, `must be between 1 and ${largest}, inclusive`)];
}

function uniqueVolumes(volumes: readonly Fields[]): Cause[] {
  const names = new Set<unknown>();
  return volumes.flatMap((volume, index) => {
    const field = `spec.volumes[${index}].name`;
    if (typeof volume.name !== "string" || volume.name === "") return [missingCause(field)];
    if (names.has(volume.name)) return [duplicateCause(field, volume.name)];
    names.add(volume.name);
    return labelRule(volume.name).map((why) => invalidCause(field, volume.name, why));
  });
}

function duplicateCause(field: string, value: unknown): Cause {
  return { reason: "FieldValueDuplicate", field, message: `Duplicate value: ${JSON.stringify(value)}` };
}

function containerCauses(field: string, container: Fields, names: Set<unknown>, volumes: Set<unknown>): Cause[] {
  const causes: Cause[] = [];
  const { name, image } = container;
  if (typeof name !== "string" || name === "") causes.push(missingCause(`${field}.name`));
  else if (names.has(name)) causes.push(duplicateCause(`${field}.name`, name));
  else causes.push(...labelRule(name).map((why) => invalidCause(`${field}.name`, name, why)));
  names.add(name);
  if (typeof image !== "string" || image.trim() === "") causes.push(missingCause(`${field}.image`));
  const paths = new Set<unknown>();
  listOf(container.volumeMounts).forEach((mount, index) => {
    const mountField = `${field}.volumeMounts[${index}]`;
    if (!volumes.has(mount.name)) {
      causes.push({
        reason: "FieldValueNotFound",
        field: `${mountField}.name`,
        message: `Not found: ${JSON.stringify(mount.name)}`,
      });
    }
    if (!mount.mountPath) causes.push(missingCause(`${mountField}.mountPath`));
    else if (paths.has(mount.mountPath)) {
      causes.push(invalidCause(`${mountField}.mountPath`, mount.mountPath, "must be unique"));
    }
    paths.add(mount.mountPath);
  });
  listOf(container.env).forEach((variable, index) => {
    if (!variable.name) causes.push(missingCause(`${field}.env[${index}].name`));
  });
  return causes;
}
