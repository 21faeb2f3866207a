/** Every route of the embedded API, according to its own discovery documents. */
import type { ApiServer } from "../../local/api/mod.ts";

/** A request to one route. */
export interface RouteRequest {
  readonly method: string;
  readonly path: string;
}

interface ResourceList {
  readonly groupVersion: string;
  readonly resources: readonly {
    readonly name: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Paths that require no authentication: health checks and the version. */
export const OPEN: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/livez", "/version"]);

/** Combines all methods with all paths: discovery, collections, objects, subresources, and paths that do not exist. */
export async function everyRoute(api: ApiServer): Promise<RouteRequest[]> {
  const get = async (path: string) =>
    await (await api.handler(new Request(`http://kubernetes.internal${path}`))).json();
  const { groups } = await get("/apis") as { groups: { name: string; versions: { groupVersion: string }[] }[] };
  const roots = [
    "/api/v1",
    ...groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`)),
  ];
  const paths = [
    "/api",
    "/apis",
    "/openapi/v2",
    "/openapi/v3",
    "/",
    "/nowhere",
    "/metrics",
    "/debug",
    "/api/v1/../../version",
  ];
  for (const { name } of groups) paths.push(`/apis/${name}`);
  for (const root of roots) {
    paths.push(root, `/openapi/v3${root}`);
    const { resources } = await get(root) as ResourceList;
    for (const { name, namespaced } of resources) {
      const [plural, subresource] = name.split("/");
      const places = namespaced ? [`${root}/${plural}`, `${root}/namespaces/default/${plural}`] : [`${root}/${plural}`];
      for (const place of places) {
        paths.push(place, `${place}?watch=true`, `${place}/a`, `${place}/a/status`);
        if (subresource) paths.push(`${place}/a/${subresource}`);
      }
    }
  }
  return [...new Set(paths)].flatMap((path) => METHODS.map((method) => ({ method, path })));
}
