/** The shape of what somebody applies: checked before it is merged, in Kubernetes' words. */
import { structureOf } from "@tiphys/model/api/structure";
import { isKindName, KINDS } from "@tiphys/model/api";
import type { KubeObject } from "@tiphys/kube";
import type { ServedResource } from "../served_resource.ts";
import { StatusError } from "../status_error.ts";
import { isObject } from "@tiphys/base/fields_of";

type Schema = Parameters<typeof structureOf>[0];

/**
 * Refuses an object in which an object or a list stands where a list or an object belongs.
 * @throws {StatusError} 500, as Kubernetes does.
 */
export function checkAppliedShape(given: KubeObject, { builtIn, group, version, kind }: ServedResource): void {
  if (builtIn || group !== "argoproj.io" || !isKindName(kind)) return;
  const wrong = shapeErrors(KINDS[kind].schema, given, "");
  if (wrong.length === 0) return;
  const { namespace = "", name = "" } = given.metadata;
  const errors = wrong.length === 1 ? wrong[0] : `errors:\n${wrong.map((one) => `  ${one}`).join("\n")}`;
  const what = `failed to create typed patch object (${namespace}/${name}; ${group}/${version}, Kind=${kind})`;
  throw new StatusError(500, "", `${what}: ${errors}`);
}

function shapeErrors(schema: Schema, value: unknown, path: string): string[] {
  if (value === null || value === undefined) return [];
  const structure = structureOf(schema);
  switch (structure.kind) {
    case "list":
      if (!Array.isArray(value)) return [`${path}: expected list, got &{${goText(value)}}`];
      return value.flatMap((one, index) => shapeErrors(structure.element, one, `${path}[${index}]`));
    case "map":
      if (!isObject(value)) return [`${path}: expected map, got &{${goText(value)}}`];
      return Object.entries(value).flatMap(([key, one]) => shapeErrors(structure.value, one, `${path}.${key}`));
    case "object":
      if (!isObject(value)) return [`${path}: expected map, got &{${goText(value)}}`];
      return Object.entries(value).flatMap(([key, one]) => {
        const schema = Object.hasOwn(structure.shape, key) ? structure.shape[key] : undefined;
        return schema === undefined ? [] : shapeErrors(schema, one, `${path}.${key}`);
      });
    default:
      return [];
  }
}

/** A value of JSON as Go's `%v` shows it. */
function goText(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (!isObject(value)) return String(value);
  return `map[${Object.keys(value).sort().map((key) => `${key}:${goText(value[key])}`).join(" ")}]`;
}
