/** Discovery: the resources that this API serves, for clients that query them first. */

import { REVIEW_GROUPS, reviewResources } from "../access/reviews.ts";
import type { ServedResource, ServedResources } from "../served_resource.ts";
import { pathNotFound } from "../status_error.ts";

/** The version that is reported: that of the Kubernetes release whose behavior this server follows. */
export const SERVER_VERSION = {
  major: "1",
  minor: "33",
  gitVersion: "v1.33.0+tiphys",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "",
  compiler: "",
  platform: "linux/amd64",
};

/**
 * Returns the document at `/api...` or `/apis...`.
 * @throws {StatusError} 404 for an unknown group or version.
 */
export function discoveryDocument(path: readonly string[], resources: ServedResources): unknown {
  const [root, group, version] = path;
  if (root === "api") {
    if (group === undefined) {
      return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] };
    }
    return resourceList("", group, resources);
  }
  if (group === undefined) {
    return { kind: "APIGroupList", apiVersion: "v1", groups: groupsOf(resources).map(groupDocument) };
  }
  if (version === undefined) {
    const found = groupsOf(resources).find(({ name }) => name === group);
    if (!found) throw pathNotFound();
    return { kind: "APIGroup", apiVersion: "v1", ...groupDocument(found) };
  }
  return resourceList(group, version, resources);
}

/** The paths in the document of the root. */
export function rootPaths(resources: ServedResources): string[] {
  const groups = groupsOf(resources).flatMap(({ name, versions }) => [
    `/apis/${name}`,
    ...versions.map((version) => `/apis/${name}/${version}`),
  ]);
  const health = ["/healthz", "/livez", "/readyz"];
  return ["/api", "/api/v1", "/apis", ...groups, ...health, "/openapi/v2", "/openapi/v3", "/version"].sort();
}

/** A group with its versions, in the order in which they were added. */
export interface Group {
  readonly name: string;
  readonly versions: readonly string[];
}

/** All groups except for the unnamed one of the core kinds. */
export function groupsOf(resources: ServedResources): Group[] {
  const groups = new Map(REVIEW_GROUPS.map((group) => [group, new Set(["v1"])]));
  for (const { group, version } of resources.all()) {
    if (group !== "") groups.set(group, (groups.get(group) ?? new Set()).add(version));
  }
  return [...groups].map(([name, versions]) => ({ name, versions: [...versions] }));
}

function groupDocument({ name, versions }: Group) {
  const all = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: all, preferredVersion: all[0] };
}

function resourceList(group: string, version: string, resources: ServedResources) {
  const served = resources.all().filter((r) => r.group === group && r.version === version);
  const reviews = version === "v1" ? reviewResources(group) : [];
  if (served.length === 0 && reviews.length === 0) throw pathNotFound();
  return {
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion: group === "" ? version : `${group}/${version}`,
    resources: [...served.flatMap(entries), ...reviews],
  };
}

function entries(resource: ServedResource) {
  const { plural, kind, namespaced, shortNames, statusSubresource, subresources } = resource;
  const entry = {
    name: plural,
    singularName: kind.toLowerCase(),
    namespaced,
    kind,
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    ...(shortNames.length > 0 && { shortNames }),
    ...(["pods", "services", "deployments", "statefulsets", "jobs", "cronjobs"].includes(plural) &&
      { categories: ["all"] }),
  };
  const below = [...(statusSubresource ? ["status"] : []), ...subresources].map((subresource) => ({
    name: `${plural}/${subresource}`,
    singularName: "",
    namespaced,
    kind: subresourceKinds[subresource] ?? kind,
    verbs: subresource === "status" ? ["get", "patch", "update"] : ["create", "get"],
  }));
  return [entry, ...below];
}

const subresourceKinds: Readonly<Record<string, string>> = {
  attach: "PodAttachOptions",
  binding: "Binding",
  eviction: "Eviction",
  exec: "PodExecOptions",
  token: "TokenRequest",
};
