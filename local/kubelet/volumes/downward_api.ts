/**
 * The downward API: fields of a pod's metadata, spec and status, and the resources of its containers, as values for the
 * pod.
 */

import type { Pod } from "@tiphys/model/api";
import { Quantity } from "@tiphys/base/go";
import { SetupError } from "../setup_error.ts";

/** The addresses of a pod, known before its status is written. */
export interface PodAddress {
  readonly nodeName: string;
  readonly hostIP: string;
  readonly podIP: string;
}

/**
 * Returns the value of a `fieldRef`.
 * @throws {SetupError} if Kubernetes does not support the path.
 */
export function fieldValue(pod: Pod, path: string, address: PodAddress): string {
  const { metadata, spec } = pod;
  const keyed = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (keyed) return metadata[keyed[1] as "labels" | "annotations"]?.[keyed[2]!] ?? "";
  switch (path) {
    case "metadata.name":
      return metadata.name ?? "";
    case "metadata.namespace":
      return metadata.namespace ?? "";
    case "metadata.uid":
      return metadata.uid ?? "";
    case "metadata.labels":
      return quotedLines(metadata.labels);
    case "metadata.annotations":
      return quotedLines(metadata.annotations);
    case "spec.nodeName":
      return address.nodeName;
    case "spec.serviceAccountName":
      return spec.serviceAccountName ?? "default";
    case "status.hostIP":
    case "status.hostIPs":
      return address.hostIP;
    case "status.podIP":
    case "status.podIPs":
      return address.podIP;
    default:
      throw new SetupError("CreateContainerConfigError", `unsupported fieldPath: ${path}`);
  }
}

/** A reference to the resources of a container. */
export interface ResourceFieldRef {
  readonly containerName?: string | undefined;
  readonly resource: string;
  readonly divisor?: string | number | undefined;
}

/** Returns the value of a `resourceFieldRef`. A limit that is not set is the capacity of the machine. */
export function resourceValue(pod: Pod, container: string, ref: ResourceFieldRef): string {
  const name = ref.containerName ?? container;
  const found = [...pod.spec.containers, ...pod.spec.initContainers ?? []].find((each) => each.name === name);
  const [kind, resource = ""] = ref.resource.split(".", 2) as ["limits" | "requests", string?];
  const limits = found?.resources?.limits?.[resource];
  const given = kind === "requests" ? found?.resources?.requests?.[resource] ?? limits : limits;
  const text = given === undefined ? capacity(kind, resource) : String(given);
  const divisor = Quantity.parse(String(ref.divisor ?? 1)).toNumber() || 1;
  return String(Math.ceil(Quantity.parse(text).toNumber() / divisor));
}

function capacity(kind: string, resource: string): string {
  if (kind === "requests") return "0";
  switch (resource) {
    case "cpu":
      return String(navigator.hardwareConcurrency);
    case "memory":
      return String(Deno.systemMemoryInfo().total);
    default:
      return "0";
  }
}

function quotedLines(values: Record<string, string> = {}): string {
  return Object.entries(values).sort(([a], [b]) => a < b ? -1 : 1)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`).join("\n");
}
