/** The columns of `kubectl get` for built-in kinds, as in Kubernetes. */

import type { ContainerStatus, Pod } from "@tiphys/model/api";
import type { KubeObject } from "@tiphys/kube";
import { podSummary } from "./pod_summary.ts";

/** A column. Dates are displayed as the time since then. */
export interface Column {
  readonly name: string;
  readonly type: "string" | "date" | "integer";
  readonly value: (object: KubeObject, now: Date) => unknown;
  /** Whether it is only displayed with `-o wide`. */
  readonly wide?: boolean;
}

/** A column that displays a field. The path has the simple form `.status.phase`. */
export function fieldColumn(name: string, path: string, type: Column["type"] = "string", wide = false): Column {
  const fields = path.split(".").slice(1);
  return { name, type, wide, value: (object) => valueAt(object, fields) };
}

function valueAt(object: unknown, fields: readonly string[]): unknown {
  return fields.reduce<unknown>((value, field) => (value as Fields | undefined)?.[field], object);
}

type Fields = Record<string, unknown>;

export const NAME: Column = fieldColumn("Name", ".metadata.name");
export const AGE: Column = fieldColumn("Age", ".metadata.creationTimestamp", "date");

const createdAt = fieldColumn("Created At", ".metadata.creationTimestamp");

const readyReplicas: Column = {
  name: "Ready",
  type: "string",
  value: (workload) =>
    `${valueAt(workload, ["status", "readyReplicas"]) ?? 0}/${valueAt(workload, ["spec", "replicas"]) ?? 1}`,
};

/** The columns of a built-in kind. */
export function columnsOf(kind: string): readonly Column[] {
  return columns[kind] ?? [NAME, AGE];
}

const columns: Readonly<Record<string, readonly Column[]>> = {
  Pod: [
    NAME,
    podColumn("Ready", (pod) => readyContainers(pod)),
    podColumn("Status", (pod) => podSummary(pod).reason),
    podColumn("Restarts", (pod, now) => podSummary(pod, now).restarts),
    AGE,
    fieldColumn("IP", ".status.podIP", "string", true),
    fieldColumn("Node", ".spec.nodeName", "string", true),
  ],
  ConfigMap: [
    NAME,
    { name: "Data", type: "integer", value: ({ data, binaryData }) => countItems(data) + countItems(binaryData) },
    AGE,
  ],
  Secret: [
    NAME,
    fieldColumn("Type", ".type"),
    { name: "Data", type: "integer", value: ({ data }) => countItems(data) },
    AGE,
  ],
  Event: [
    { name: "Last Seen", type: "date", value: lastSeenTime },
    fieldColumn("Type", ".type"),
    fieldColumn("Reason", ".reason"),
    { name: "Object", type: "string", value: ({ involvedObject }) => formatReference(involvedObject) },
    fieldColumn("Message", ".message"),
    { ...NAME, wide: true },
  ],
  Service: [
    NAME,
    { name: "Type", type: "string", value: (service) => valueAt(service, ["spec", "type"]) ?? "ClusterIP" },
    fieldColumn("Cluster-IP", ".spec.clusterIP"),
    { name: "Port(s)", type: "string", value: formatPorts },
    AGE,
  ],
  ServiceAccount: [NAME, { name: "Secrets", type: "integer", value: ({ secrets }) => countItems(secrets) }, AGE],
  PersistentVolumeClaim: [
    NAME,
    fieldColumn("Status", ".status.phase"),
    fieldColumn("Volume", ".spec.volumeName"),
    fieldColumn("Capacity", ".status.capacity.storage"),
    { name: "Access Modes", type: "string", value: accessModes },
    fieldColumn("StorageClass", ".spec.storageClassName"),
    AGE,
  ],
  Namespace: [NAME, fieldColumn("Status", ".status.phase"), AGE],
  Lease: [NAME, fieldColumn("Holder", ".spec.holderIdentity"), AGE],
  Deployment: [NAME, readyReplicas, fieldColumn("Available", ".status.availableReplicas", "integer"), AGE],
  StatefulSet: [NAME, readyReplicas, AGE],
  CronJob: [NAME, fieldColumn("Schedule", ".spec.schedule"), fieldColumn("Suspend", ".spec.suspend"), AGE],
  Role: [NAME, createdAt],
  ClusterRole: [NAME, createdAt],
  RoleBinding: [NAME, { name: "Role", type: "string", value: ({ roleRef }) => roleName(roleRef) }, AGE],
  ClusterRoleBinding: [NAME, { name: "Role", type: "string", value: ({ roleRef }) => roleName(roleRef) }, AGE],
  CustomResourceDefinition: [NAME, createdAt],
};

function podColumn(name: string, value: (pod: Pod, now: Date) => unknown): Column {
  // deno-lint-ignore tiphys/no-double-cast -- only used for pods, whose shape the server has checked
  return { name, type: "string", value: (pod, now) => value(pod as unknown as Pod, now) };
}

function readyContainers({ spec, status }: Pod): string {
  const ready = (status?.containerStatuses ?? []).filter((container: ContainerStatus) => container.ready);
  return `${ready.length}/${spec?.containers?.length ?? 0}`;
}

function countItems(value: unknown): number {
  return Object.keys(value ?? {}).length;
}

function lastSeenTime(event: KubeObject): unknown {
  const { lastTimestamp, eventTime, firstTimestamp, metadata } = event;
  return lastTimestamp ?? eventTime ?? firstTimestamp ?? metadata.creationTimestamp;
}

function formatReference(value: unknown): string {
  const { kind = "", name = "" } = (value ?? {}) as { kind?: string; name?: string };
  return `${kind.toLowerCase()}/${name}`;
}

function formatPorts(service: KubeObject): string {
  const list = (valueAt(service, ["spec", "ports"]) ?? []) as { port?: number; protocol?: string }[];
  return list.map(({ port, protocol = "TCP" }) => `${port}/${protocol}`).join(",") || "<none>";
}

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

/** The access modes of a bound claim. */
function accessModes(claim: KubeObject): string {
  const modes = (valueAt(claim, ["status", "accessModes"]) ?? []) as string[];
  return modes.map((mode) => shortModes[mode] ?? mode).join(",");
}

function roleName(value: unknown): string {
  const { kind = "", name = "" } = (value ?? {}) as { kind?: string; name?: string };
  return `${kind}/${name}`;
}
