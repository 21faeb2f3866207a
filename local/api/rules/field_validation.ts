/** Checking written objects against what is known of their kinds, as strictly as the writer asked. */

import { z } from "zod";
import { Container } from "@tiphys/model/api/core/container";
import { Volume } from "@tiphys/model/api/core/volume";
import { isKindName } from "@tiphys/model/api/kinds";
import type { FieldError } from "@tiphys/base/field_error";
import { parseKind, parseWith } from "@tiphys/model/api/parse";
import type { KubeObject } from "@tiphys/kube";
import type { ServedResource } from "../served_resource.ts";
import { badRequest, type Cause, invalid } from "../status_error.ts";
import { type KnownPart, unknownRefusal } from "./known_fields.ts";

/** The treatment of fields that the schema does not know. */
export type Strictness = "Ignore" | "Warn" | "Strict";

/** Reads the fieldValidation parameter; the server's default is to warn. */
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
 * Checks an object, without the fields that its kind does not have; gives the warnings for its writer about these.
 * @throws StatusError: 422 where a value does not fit the schema, 400 where a field is unknown and the writer is
 * strict.
 */
export function checkFields(
  { object, unknown }: KnownPart,
  resource: ServedResource,
  strictness: Strictness,
): string[] {
  if (resource.builtIn && resource.plural === "pods") checkPod(object, resource);
  if (!resource.builtIn && resource.group === "argoproj.io" && isKindName(resource.kind)) {
    const parsed = parseKind(resource.kind, object, "lenient");
    if (!parsed.ok) throw invalid(resource, object.metadata.name ?? "", parsed.errors.map(cause));
  }
  if (unknown.length === 0 || strictness === "Ignore") return [];
  if (strictness === "Strict") throw unknownRefusal(resource, unknown);
  return unknown.map((path) => `unknown field "${path}"`);
}

/** A pod's containers and volumes have the same schema as a template's; the rest of a pod is taken as it comes. */
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
