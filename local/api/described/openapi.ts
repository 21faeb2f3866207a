/**
 * The OpenAPI documents for kubectl. They declare that the server validates fields (`fieldValidation`) and supports dry
 * runs, so that kubectl does not have to; and, for `kubectl explain`, the fields of all kinds.
 */

import { groupsOf } from "./discovery.ts";
import { schemasOf } from "./schemas.ts";
import type { ServedResource, ServedResources } from "../served_resource.ts";
import { pathNotFound } from "../status_error.ts";

const queryParameters = ["dryRun", "fieldManager", "fieldValidation", "force"].map((name) => ({
  name,
  in: "query",
  schema: { type: "string", uniqueItems: true },
}));

const INFO = { title: "Kubernetes", version: "v1.33.0" };

/**
 * Responds to a request below `/openapi/`.
 * @throws {StatusError} 404 for an unknown document.
 */
export function openapiResponse(request: Request, path: readonly string[], resources: ServedResources): Response {
  const [version, ...rest] = path;
  if (version === "v2" && rest.length === 0) return versionTwo(request.headers.get("accept") ?? "");
  if (version !== "v3") throw pathNotFound();
  if (rest.length === 0) return Response.json(index(resources));
  const group = rest[0] === "api" ? "" : rest[1] ?? "";
  const served = resources.all().filter((r) => r.group === group && r.version === rest.at(-1));
  if (served.length === 0) throw pathNotFound();
  const paths = Object.fromEntries(
    served.map((resource) => [objectPath(resource), { patch: patchOperation(resource) }]),
  );
  return Response.json({ openapi: "3.0.0", info: INFO, paths, components: { schemas: schemasOf(served) } });
}

function index(resources: ServedResources) {
  const paths = [
    "api/v1",
    ...groupsOf(resources).flatMap(({ name, versions }) => versions.map((v) => `apis/${name}/${v}`)),
  ];
  return { paths: Object.fromEntries(paths.map((path) => [path, { serverRelativeURL: `/openapi/v3/${path}` }])) };
}

/**
 * OpenAPI v2, which is empty here. kubectl reads it for kinds that v3 does not contain, so for kinds that do not exist,
 * and it accepts protobuf only.
 */
function versionTwo(accept: string): Response {
  if (!accept.split(",")[0]!.includes("protobuf")) {
    return Response.json({ swagger: "2.0", info: INFO, paths: {}, definitions: {} });
  }
  const info = [...protobufString(1, INFO.title), ...protobufString(2, INFO.version)];
  const document = new Uint8Array([...protobufString(1, "2.0"), ...protobufField(2, info), ...protobufField(8, [])]);
  return new Response(document, {
    headers: { "content-type": "application/com.github.proto-openapi.spec.v2.v1.0+protobuf" },
  });
}

function protobufString(number: number, text: string): number[] {
  return protobufField(number, [...new TextEncoder().encode(text)]);
}

/** A length-delimited field with less than 128 bytes. */
function protobufField(number: number, content: readonly number[]): number[] {
  return [number << 3 | 2, content.length, ...content];
}

function objectPath({ group, version, plural, namespaced }: ServedResource): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespaced ? "/namespaces/{namespace}" : ""}/${plural}/{name}`;
}

function patchOperation({ group, version, kind }: ServedResource) {
  return {
    "x-kubernetes-action": "patch",
    "x-kubernetes-group-version-kind": { group, version, kind },
    parameters: queryParameters,
    responses: { "200": { description: "OK" } },
  };
}
