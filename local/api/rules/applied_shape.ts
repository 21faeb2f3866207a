/** Checks the shape of an applied object before it is merged, with the errors of Kubernetes. */
import { structureOf } from "@tiphys/model/api/structure";
import { isKindName, KINDS } from "@tiphys/model/api";
import type { KubeObject } from "@tiphys/kube";
import type { ServedResource } from "../served_resource.ts";
import { listedTexts, StatusError } from "../status_error.ts";
import { isObject } from "@tiphys/base/fields_of";

type Schema = Parameters<typeof structureOf>[0];

/**
 * Refuses an object in which a list is used as an object, or the reverse.
 * @throws {StatusError} 500, as in Kubernetes.
 */
export function checkAppliedShape(object: KubeObject, { builtIn, group, version, kind }: ServedResource): void {
  if (builtIn || group !== "argoproj.io" || !isKindName(kind)) return;
  const wrong: string[] = [];
  collectErrors(KINDS[kind].schema, object, "", wrong);
  if (wrong.length === 0) return;
  const { namespace = "", name = "" } = object.metadata;
  const errors = wrong.length === 1 ? wrong[0] : `errors:\n${listedTexts(wrong).map((text) => `  ${text}`).join("\n")}`;
  const what = `failed to create typed patch object (${namespace}/${name}; ${group}/${version}, Kind=${kind})`;
  throw new StatusError(500, "", `${what}: ${errors}`);
}

/** Adds the errors of a value to `wrong`. */
function collectErrors(schema: Schema, value: unknown, path: string, wrong: string[]): void {
  if (value === null || value === undefined) return;
  const structure = structureOf(schema);
  switch (structure.kind) {
    case "list":
      if (!Array.isArray(value)) {
        wrong.push(`${path}: expected list, got &{${goText(value)}}`);
        return;
      }
      for (let index = 0; index < value.length; index++) {
        collectErrors(structure.element, value[index], `${path}[${index}]`, wrong);
      }
      return;
    case "map":
    case "object":
      if (!isObject(value)) {
        wrong.push(`${path}: expected map, got &{${goText(value)}}`);
        return;
      }
      for (const key of Object.keys(value)) {
        const below = structure.kind === "map"
          ? structure.value
          : Object.hasOwn(structure.shape, key)
          ? structure.shape[key]
          : undefined;
        if (below !== undefined) collectErrors(below, value[key], `${path}.${key}`, wrong);
      }
  }
}

/** Formats a JSON value like Go's `%v`. */
function goText(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (!isObject(value)) return String(value);
  return `map[${Object.keys(value).sort().map((key) => `${key}:${goText(value[key])}`).join(" ")}]`;
}
