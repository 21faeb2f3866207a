/** The resource of a kind: the path under which the API keeps its objects. */
import * as kube from "@tiphys/kube";
import type { KubeObject, Resource } from "@tiphys/kube";
import { badInput } from "../command_error.ts";

const KNOWN: readonly Resource[] = Object.values(kube).filter((value): value is Resource =>
  typeof value === "object" && value !== null && "plural" in value && "kind" in value
);

/**
 * The resource of the API through which an object's kind is read and written.
 * @throws {CommandError} for a kind that we do not speak of.
 */
export function resourceOf({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">): Resource {
  const found = KNOWN.find((resource) => resource.kind === kind && kube.apiVersionOf(resource) === apiVersion);
  if (found) return found;
  const kinds = [...new Set(KNOWN.map((resource) => resource.kind))].join(", ");
  throw badInput(`Expected an object of one of the kinds ${kinds}, got ${kind} of ${apiVersion}`);
}
