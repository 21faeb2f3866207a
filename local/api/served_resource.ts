/** The resources that this API serves: built-in ones, and those of CustomResourceDefinitions. */

import { GROUP, type Kind, KINDS, VERSION } from "@tiphys/model/api/kinds";
import * as kube from "@tiphys/kube/resources";
import type { KubeObject, Resource } from "@tiphys/kube";
import { AGE, type Column, columnsOf, fieldColumn, NAME } from "./reading/columns.ts";

/** A resource, and how the API handles it. */
export interface ServedResource extends Resource {
  readonly shortNames: readonly string[];
  /** Whether /status is a subresource. */
  readonly statusSubresource: boolean;
  /** Whether it is a kind of Kubernetes: supports strategic merge patches, and the kind may be missing in a body. */
  readonly builtIn: boolean;
  /** The columns of `kubectl get`. */
  readonly columns: readonly Column[];
  /** Further subresources, for discovery. */
  readonly subresources: readonly string[];
  /** The schema of its CustomResourceDefinition; undefined for kinds without one. */
  readonly schema: unknown;
}

interface Extra {
  short?: string[];
  status?: boolean;
  builtIn?: boolean;
  columns?: readonly Column[];
  subresources?: string[];
  schema?: unknown;
}

function serve(resource: Resource, extra: Extra = {}): ServedResource {
  return {
    ...resource,
    shortNames: extra.short ?? [],
    statusSubresource: extra.status ?? false,
    builtIn: extra.builtIn ?? true,
    columns: extra.columns ?? columnsOf(resource.kind),
    subresources: extra.subresources ?? [],
    schema: extra.schema,
  };
}

function builtIn(group: string, version: string, plural: string, kind: string, extra?: Extra, namespaced = true) {
  return serve({ group, version, plural, kind, namespaced }, extra);
}

function workflowKind(kind: string, served: Kind): ServedResource {
  const { plural, namespaced } = served;
  return serve({ group: GROUP, version: VERSION, plural, kind, namespaced }, {
    builtIn: false,
    short: [...served.shortNames],
    status: served.statusSubresource,
    columns: definedColumns(served.columns),
  });
}

/** The columns of a definition; by default the age. */
function definedColumns(
  printerColumns: readonly { name?: string; type?: string; jsonPath?: string; priority?: number }[],
): readonly Column[] {
  if (printerColumns.length === 0) return [NAME, AGE];
  const columns = printerColumns.map(({ name = "", type, jsonPath = "", priority = 0 }) =>
    fieldColumn(name, jsonPath, type === "date" || type === "integer" ? type : "string", priority > 0)
  );
  return [NAME, ...columns];
}

const own: readonly ServedResource[] = [
  serve(kube.PODS, {
    short: ["po"],
    status: true,
    subresources: ["attach", "binding", "eviction", "exec", "log"],
  }),
  serve(kube.CONFIGMAPS, { short: ["cm"] }),
  serve(kube.SECRETS),
  serve(kube.EVENTS, { short: ["ev"] }),
  serve(kube.SERVICES, { short: ["svc"], status: true }),
  serve(kube.SERVICE_ACCOUNTS, { short: ["sa"], subresources: ["token"] }),
  serve(kube.PERSISTENT_VOLUME_CLAIMS, { short: ["pvc"], status: true }),
  builtIn("", "v1", "persistentvolumes", "PersistentVolume", { short: ["pv"], status: true }, false),
  builtIn("", "v1", "limitranges", "LimitRange", { short: ["limits"] }),
  builtIn("", "v1", "resourcequotas", "ResourceQuota", { short: ["quota"], status: true }),
  serve(kube.NAMESPACES, { short: ["ns"], status: true }),
  serve(kube.NODES, { short: ["no"], status: true }),
  serve(kube.LEASES),
  serve(kube.POD_DISRUPTION_BUDGETS, { short: ["pdb"], status: true }),
  builtIn("apps", "v1", "deployments", "Deployment", { short: ["deploy"], status: true }),
  builtIn("apps", "v1", "statefulsets", "StatefulSet", { short: ["sts"], status: true }),
  builtIn("batch", "v1", "jobs", "Job", { status: true }),
  builtIn("batch", "v1", "cronjobs", "CronJob", { short: ["cj"], status: true }),
  builtIn("rbac.authorization.k8s.io", "v1", "roles", "Role"),
  builtIn("rbac.authorization.k8s.io", "v1", "rolebindings", "RoleBinding"),
  builtIn("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole", {}, false),
  builtIn("rbac.authorization.k8s.io", "v1", "clusterrolebindings", "ClusterRoleBinding", {}, false),
  builtIn("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", { short: ["pc"] }, false),
  builtIn("storage.k8s.io", "v1", "storageclasses", "StorageClass", { short: ["sc"] }, false),
  serve(kube.CUSTOM_RESOURCE_DEFINITIONS, { short: ["crd"], status: true }),
  ...Object.entries(KINDS).map(([kind, served]) => workflowKind(kind, served)),
];

/** Finds served resources by the parts of a path. Custom resources are added and removed with their definitions. */
export class ServedResources {
  readonly #byPath = new Map<string, ServedResource>();
  readonly #defined = new Map<string, string[]>();

  constructor() {
    for (const resource of own) this.#byPath.set(pathKey(resource), resource);
  }

  find(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#byPath.get(pathKey({ group, version, plural }));
  }

  all(): ServedResource[] {
    return [...this.#byPath.values()];
  }

  /** Adds the resources of a definition. For kinds that are always served, a definition only changes the schema. */
  define(definition: KubeObject): void {
    this.forget(definition.metadata.name ?? "");
    const keys: string[] = [];
    for (const resource of resourcesOfDefinition(definition)) {
      const key = pathKey(resource);
      const known = this.#byPath.get(key);
      if (known?.builtIn) continue;
      this.#byPath.set(key, known === undefined ? resource : { ...known, schema: resource.schema });
      keys.push(key);
    }
    this.#defined.set(definition.metadata.name ?? "", keys);
  }

  /** Removes the resources of the definition with this name. */
  forget(name: string): void {
    for (const key of this.#defined.get(name) ?? []) this.#byPath.delete(key);
    this.#defined.delete(name);
    for (const resource of own) if (!this.#byPath.has(pathKey(resource))) this.#byPath.set(pathKey(resource), resource);
  }
}

function pathKey({ group, version, plural }: Pick<Resource, "group" | "version" | "plural">): string {
  return `${group}/${version}/${plural}`;
}

interface DefinitionSpec {
  group?: string;
  scope?: string;
  names?: { plural?: string; kind?: string; shortNames?: string[] };
  versions?: {
    name?: string;
    served?: boolean;
    subresources?: { status?: unknown };
    schema?: { openAPIV3Schema?: unknown };
    additionalPrinterColumns?: { name?: string; type?: string; jsonPath?: string; priority?: number }[];
  }[];
}

function resourcesOfDefinition(definition: KubeObject): ServedResource[] {
  const { group = "", scope, names = {}, versions = [] } = (definition.spec ?? {}) as DefinitionSpec;
  return versions.filter((version) => version.served).map((version) =>
    serve(
      {
        group,
        version: version.name ?? "",
        plural: names.plural ?? "",
        kind: names.kind ?? "",
        namespaced: scope !== "Cluster",
      },
      {
        short: names.shortNames ?? [],
        builtIn: false,
        status: version.subresources?.status !== undefined,
        columns: definedColumns(version.additionalPrinterColumns ?? []),
        schema: version.schema?.openAPIV3Schema,
      },
    )
  );
}
