/** Finds the API resource of a kind. */
import * as kube from "@tiphys/kube/resources";
import type { KubeObject, Resource } from "@tiphys/kube";
import { badInput } from "../command_error.ts";

const KNOWN: readonly Resource[] = Object.values(kube).filter((value): value is Resource =>
  typeof value === "object" && value !== null && "plural" in value && "kind" in value
);

/**
 * Returns the API resource of an object's kind.
 * @throws {CommandError} for an unsupported kind.
 */
export function resourceOf({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">): Resource {
  const found = KNOWN.find((resource) => resource.kind === kind && kube.apiVersionOf(resource) === apiVersion);
  if (found) return found;
  const kinds = [...new Set(KNOWN.map((resource) => resource.kind))].join(", ");
  throw badInput(`Expected an object of one of the kinds ${kinds}, got ${kind} of ${apiVersion}`);
}
