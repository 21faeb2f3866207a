/** Validates written objects against the schemas of their kinds, as strictly as requested. */

import { z } from "zod";
import { Container } from "@tiphys/model/api/core/container";
import { Volume } from "@tiphys/model/api/core/volume";
import { isKindName } from "@tiphys/model/api/kinds";
import type { FieldError } from "@tiphys/base/field_error";
import { parseKind, parseWith } from "@tiphys/model/api/parse";
import type { KubeObject } from "@tiphys/kube";
import type { KindErrors } from "@tiphys/language/text_worker";
import type { ServedResource } from "../served_resource.ts";
import { badRequest, type Cause, invalid } from "../status_error.ts";
import { type KnownPart, unknownRefusal } from "./known_fields.ts";

/** The handling of unknown fields. */
export type Strictness = "Ignore" | "Warn" | "Strict";

/** Parses the fieldValidation parameter. The default is to warn. */
export function parseStrictness(text: string | null): Strictness {
  switch (text) {
    case null:
    case "":
      return "Warn";
    case "Ignore":
    case "Warn":
    case "Strict":
      return text;
    default:
      throw badRequest(`fieldValidation: Unsupported value: "${text}": supported values: "Ignore", "Warn", "Strict"`);
  }
}

/**
 * Validates an object, from which unknown fields were removed. Returns warnings about these. `kindResult` are the
 * errors of its kind, if it was already validated.
 * @throws StatusError: 422 if a value does not match the schema, 400 for unknown fields if the request is strict.
 */
export function checkFields(
  { object, unknown }: KnownPart,
  resource: ServedResource,
  strictness: Strictness,
  kindResult?: KindErrors,
): string[] {
  if (resource.builtIn && resource.plural === "pods") checkPod(object, resource);
  const { errors, more } = kindResult ?? { errors: kindErrors(object, resource), more: 0 };
  if (errors.length > 0) throw invalid(resource, object.metadata.name ?? "", errors.map(cause), more);
  if (unknown.length === 0 || strictness === "Ignore") return [];
  if (strictness === "Strict") throw unknownRefusal(resource, unknown);
  return unknown.map((path) => `unknown field "${path}"`);
}

function kindErrors(object: KubeObject, resource: ServedResource): readonly FieldError[] {
  if (resource.builtIn || resource.group !== "argoproj.io" || !isKindName(resource.kind)) return [];
  const parsed = parseKind(resource.kind, object, "lenient");
  return parsed.ok ? [] : parsed.errors;
}

/** Containers and volumes of a pod have the same schema as in a template. The rest of a pod is not validated. */
function checkPod(object: KubeObject, resource: ServedResource): void {
  const { containers, initContainers, volumes } = (object.spec ?? {}) as Record<string, unknown>;
  const parsed = parseWith(PodLists, { spec: { containers, initContainers, volumes } }, "lenient");
  if (!parsed.ok) throw invalid(resource, object.metadata.name ?? "", parsed.errors.map(cause));
}

const PodLists = z.object({
  spec: z.object({
    containers: z.array(Container),
    initContainers: z.array(Container).optional(),
    volumes: z.array(Volume).optional(),
  }),
});

function cause(error: FieldError): Cause {
  return { reason: "FieldValueInvalid", field: error.path || "<root>", message: `Invalid value: ${error.message}` };
}
