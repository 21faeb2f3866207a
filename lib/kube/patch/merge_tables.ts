/**
 * Tables of how lists merge in a strategic merge patch: for Kubernetes' types from x-kubernetes-patch-merge-key in its
 * OpenAPI, for workflow types from their published Go types. All other lists are atomic: the patch replaces them.
 */

/** A list whose items are matched by a field, or a list of plain values that are merged as a set. */
export type ListMerge = { readonly key: string; readonly item?: MergeType } | { readonly union: true };

/** The fields that differ from the rule "objects merge field by field, lists are replaced". */
export interface MergeTable {
  readonly lists?: Readonly<Record<string, ListMerge>>;
  readonly fields?: Readonly<Record<string, MergeType>>;
  /** The type of every value, for a map with arbitrary keys. */
  readonly values?: MergeType;
}

/** The types of patched objects and of objects in them. */
export type MergeType =
  | "Any"
  | "Object"
  | "ObjectMeta"
  | "Container"
  | "PodSpec"
  | "PodStatus"
  | "Pod"
  | "PodTemplateSpec"
  | "WorkloadSpec"
  | "Workload"
  | "ConditionsStatus"
  | "NodeSpec"
  | "NodeStatus"
  | "Node"
  | "ServiceSpec"
  | "Service"
  | "ServiceAccount"
  | "Workflow"
  | "WorkflowSpec"
  | "Template"
  | "Arguments"
  | "LifecycleHooks"
  | "LifecycleHook"
  | "DAGTemplate"
  | "DAGTask";

const containerLists: MergeTable["lists"] = {
  env: { key: "name" },
  ports: { key: "containerPort" },
  volumeDevices: { key: "devicePath" },
  volumeMounts: { key: "mountPath" },
};

const parameterLists: MergeTable["lists"] = { parameters: { key: "name" }, artifacts: { key: "name" } };

const tables: Readonly<Record<MergeType, MergeTable>> = {
  Any: {},
  Object: { fields: { metadata: "ObjectMeta" } },
  ObjectMeta: { lists: { finalizers: { union: true }, ownerReferences: { key: "uid" } } },
  Container: { lists: containerLists },
  PodSpec: {
    lists: {
      containers: { key: "name", item: "Container" },
      initContainers: { key: "name", item: "Container" },
      ephemeralContainers: { key: "name", item: "Container" },
      volumes: { key: "name" },
      hostAliases: { key: "ip" },
      imagePullSecrets: { key: "name" },
      resourceClaims: { key: "name" },
      schedulingGates: { key: "name" },
      topologySpreadConstraints: { key: "topologyKey" },
    },
  },
  PodStatus: {
    lists: {
      conditions: { key: "type" },
      hostIPs: { key: "ip" },
      podIPs: { key: "ip" },
      resourceClaimStatuses: { key: "name" },
    },
  },
  Pod: { fields: { metadata: "ObjectMeta", spec: "PodSpec", status: "PodStatus" } },
  PodTemplateSpec: { fields: { metadata: "ObjectMeta", spec: "PodSpec" } },
  WorkloadSpec: { fields: { template: "PodTemplateSpec" } },
  /** Deployment, StatefulSet, DaemonSet, ReplicaSet, Job. */
  Workload: { fields: { metadata: "ObjectMeta", spec: "WorkloadSpec", status: "ConditionsStatus" } },
  ConditionsStatus: { lists: { conditions: { key: "type" } } },
  NodeSpec: { lists: { podCIDRs: { union: true } } },
  NodeStatus: { lists: { addresses: { key: "type" }, conditions: { key: "type" } } },
  Node: { fields: { metadata: "ObjectMeta", spec: "NodeSpec", status: "NodeStatus" } },
  ServiceSpec: { lists: { ports: { key: "port" } } },
  Service: { fields: { metadata: "ObjectMeta", spec: "ServiceSpec", status: "ConditionsStatus" } },
  ServiceAccount: { lists: { secrets: { key: "name" } }, fields: { metadata: "ObjectMeta" } },
  Workflow: { fields: { metadata: "ObjectMeta", spec: "WorkflowSpec" } },
  WorkflowSpec: {
    lists: {
      templates: { key: "name", item: "Template" },
      volumes: { key: "name" },
      tolerations: { key: "key" },
      imagePullSecrets: { key: "name" },
      hostAliases: { key: "ip" },
    },
    fields: { arguments: "Arguments", templateDefaults: "Template", hooks: "LifecycleHooks" },
  },
  Template: {
    lists: {
      volumes: { key: "name" },
      initContainers: { key: "name", item: "Container" },
      sidecars: { key: "name", item: "Container" },
      tolerations: { key: "key" },
      hostAliases: { key: "ip" },
    },
    fields: {
      inputs: "Arguments",
      outputs: "Arguments",
      container: "Container",
      script: "Container",
      dag: "DAGTemplate",
    },
  },
  /** Arguments, Inputs and Outputs merge in the same way. */
  Arguments: { lists: parameterLists },
  LifecycleHooks: { values: "LifecycleHook" },
  LifecycleHook: { fields: { arguments: "Arguments" } },
  DAGTemplate: { lists: { tasks: { key: "name", item: "DAGTask" } } },
  DAGTask: { fields: { arguments: "Arguments", inline: "Template", hooks: "LifecycleHooks" } },
};

/** Returns the table of a type. */
export function mergeTable(type: MergeType): MergeTable {
  return tables[type];
}

/** Returns the table of a field of an object. A field such as `constructor` is an ordinary one. */
export function fieldTable(table: MergeTable, field: string): MergeTable {
  return mergeTable(entry(table.fields, field) ?? table.values ?? "Any");
}

/** Returns how a list in a field merges; undefined if it is replaced. */
export function listMerge(table: MergeTable, field: string): ListMerge | undefined {
  return entry(table.lists, field);
}

function entry<T>(entries: Readonly<Record<string, T>> | undefined, field: string): T | undefined {
  return entries && Object.hasOwn(entries, field) ? entries[field] : undefined;
}

const typeOfKind: Readonly<Record<string, MergeType>> = {
  Pod: "Pod",
  Node: "Node",
  Service: "Service",
  ServiceAccount: "ServiceAccount",
  Deployment: "Workload",
  StatefulSet: "Workload",
  DaemonSet: "Workload",
  ReplicaSet: "Workload",
  Job: "Workload",
};

/** Returns the type that a built-in kind is patched as. */
export function mergeTypeOfKind(kind: string): MergeType {
  return entry(typeOfKind, kind) ?? "Object";
}
