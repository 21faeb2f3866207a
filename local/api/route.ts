/** Parses the path of a request. */

import { pathSegmentRule } from "./rules/names.ts";
import { isReview } from "./access/reviews.ts";
import { badRequest, pathNotFound } from "./status_error.ts";
import type { ServedResource, ServedResources } from "./served_resource.ts";

/** A parsed path. */
export type Route =
  | { readonly kind: "discovery"; readonly path: readonly string[] }
  | { readonly kind: "health" }
  | { readonly kind: "version" }
  | { readonly kind: "root" }
  | { readonly kind: "openapi"; readonly path: readonly string[] }
  | { readonly kind: "collection"; readonly resource: ServedResource; readonly namespace: string | undefined }
  | {
    readonly kind: "object";
    readonly resource: ServedResource;
    readonly namespace: string | undefined;
    readonly name: string;
    readonly subresource: string | undefined;
  }
  | { readonly kind: "review"; readonly name: string };

/** @throws {StatusError} 404 for an unknown path. */
export function parseRoute(pathname: string, resources: ServedResources): Route {
  const parts = pathname.split("/").filter((part) => part !== "").map(decode);
  switch (parts[0]) {
    case undefined:
      return { kind: "root" };
    case "healthz":
    case "readyz":
    case "livez":
      return { kind: "health" };
    case "version":
      return { kind: "version" };
    case "openapi":
      return { kind: "openapi", path: parts.slice(1) };
    case "api":
      return parts.length <= 2 ? { kind: "discovery", path: parts } : resourceRoute("", parts.slice(1), resources);
    case "apis":
      if (parts.length <= 3) return { kind: "discovery", path: parts };
      return resourceRoute(parts[1]!, parts.slice(2), resources);
    default:
      throw pathNotFound();
  }
}

/** `parts` begins with the version. */
function resourceRoute(group: string, parts: readonly string[], resources: ServedResources): Route {
  const [version = "", ...rest] = parts;
  // /namespaces/<ns>/<plural>/... is within a namespace; /namespaces/<name>[/status|finalize] is the namespace itself.
  const within = rest[0] === "namespaces" && rest.length >= 3 && !(rest.length === 3 && rest[2] === "status");
  const namespace = within ? rest[1] : undefined;
  const [plural = "", name, subresource, ...beyond] = within ? rest.slice(2) : rest;
  if (name === undefined && isReview(group, plural)) return { kind: "review", name: plural };
  const resource = resources.find(group, version, plural);
  if (!resource || beyond.length > 0) throw pathNotFound();
  if (namespace !== undefined && !resource.namespaced) throw pathNotFound();
  if (name === undefined) return { kind: "collection", resource, namespace };
  if (resource.namespaced && namespace === undefined) {
    throw badRequest(`a namespace is required to name one of ${resource.plural}`);
  }
  const [problem] = pathSegmentRule(name);
  if (problem) throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${problem}`);
  return { kind: "object", resource, namespace, name, subresource };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badRequest(`the path part "${part}" is not percent-encoded correctly`);
  }
}
