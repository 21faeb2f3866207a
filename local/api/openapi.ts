/**
 * The smallest OpenAPI documents that tell kubectl what it must know: that the server validates fields itself
 * (`fieldValidation`) and takes dry runs, so it does not have to; the shapes of objects are left open.
 */

import { groupsOf } from "./discovery.ts";
import type { ServedResource, ServedResources } from "./served_resource.ts";
import { pathNotFound } from "./status_error.ts";

const queryParameters = ["dryRun", "fieldManager", "fieldValidation", "force"].map((name) => ({
  name,
  in: "query",
  schema: { type: "string", uniqueItems: true },
}));

/** The document below `/openapi/`. Throws StatusError 404 for one that is not there. */
export function openapiDocument(path: readonly string[], resources: ServedResources): unknown {
  const [version, ...rest] = path;
  if (version === "v2" && rest.length === 0) return versionTwo(resources);
  if (version !== "v3") throw pathNotFound();
  if (rest.length === 0) return index(resources);
  const group = rest[0] === "api" ? "" : rest[1] ?? "";
  const served = resources.all().filter((r) => r.group === group && r.version === rest.at(-1));
  if (served.length === 0) throw pathNotFound();
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: "v1.33.0" },
    paths: Object.fromEntries(served.map((resource) => [objectPath(resource), { patch: patchOperation(resource) }])),
    components: { schemas: Object.fromEntries(served.map((resource) => [schemaName(resource), schema(resource)])) },
  };
}

function index(resources: ServedResources) {
  const paths = [
    "api/v1",
    ...groupsOf(resources).flatMap(({ name, versions }) => versions.map((v) => `apis/${name}/${v}`)),
  ];
  return { paths: Object.fromEntries(paths.map((path) => [path, { serverRelativeURL: `/openapi/v3/${path}` }])) };
}

function versionTwo(resources: ServedResources) {
  const all = resources.all();
  return {
    swagger: "2.0",
    info: { title: "Kubernetes", version: "v1.33.0" },
    paths: Object.fromEntries(all.map((resource) => [objectPath(resource), {
      patch: {
        ...patchOperation(resource),
        parameters: queryParameters.map(({ name }) => ({ name, in: "query", type: "string", uniqueItems: true })),
      },
    }])),
    definitions: Object.fromEntries(all.map((resource) => [schemaName(resource), schema(resource)])),
  };
}

function objectPath({ group, version, plural, namespaced }: ServedResource): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespaced ? "/namespaces/{namespace}" : ""}/${plural}/{name}`;
}

function patchOperation(resource: ServedResource) {
  return {
    "x-kubernetes-action": "patch",
    "x-kubernetes-group-version-kind": kindOf(resource),
    parameters: queryParameters,
    responses: { "200": { description: "OK" } },
  };
}

function schema(resource: ServedResource) {
  return {
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
    "x-kubernetes-group-version-kind": [kindOf(resource)],
  };
}

function kindOf({ group, version, kind }: ServedResource) {
  return { group, version, kind };
}

function schemaName({ group, version, kind }: ServedResource): string {
  return `${group === "" ? "io.k8s.api.core" : group.split(".").reverse().join(".")}.${version}.${kind}`;
}
