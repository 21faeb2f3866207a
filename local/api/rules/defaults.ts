/** The defaults that the server sets, limited to those that clients rely on. */

import type { KubeObject } from "@tiphys/kube";
import { sameJson } from "@tiphys/kube/patch";
import { NAME_LABEL } from "./namespaces.ts";
import { withDefinedDefaults } from "./defined_schema.ts";
import type { ServedResource } from "../served_resource.ts";
import { listOf } from "./validation.ts";

type Fields = Record<string, unknown>;

/** Adds the defaults of a kind. Given values are kept. */
export function withDefaults(object: KubeObject, resource: ServedResource): KubeObject {
  if (!resource.builtIn) {
    return resource.schema === undefined ? object : withDefinedDefaults(object, resource.schema) as KubeObject;
  }
  switch (resource.plural) {
    case "pods":
      return { ...object, spec: podSpec((object.spec ?? {}) as Fields) };
    case "secrets":
      return secret(object);
    case "namespaces":
      return {
        ...object,
        metadata: {
          ...object.metadata,
          labels: { ...object.metadata.labels, [NAME_LABEL]: object.metadata.name ?? "" },
        },
        spec: { finalizers: ["kubernetes"], ...(object.spec as Fields) },
      };
    default:
      return object;
  }
}

/** The initial status of an object. The creator's status is ignored if status is a subresource. */
export function initialStatus(resource: ServedResource, { spec }: { spec?: unknown }): Fields | undefined {
  if (!resource.builtIn) return undefined;
  switch (resource.plural) {
    case "pods":
      return { phase: "Pending", qosClass: qosClass((spec ?? {}) as Fields) };
    case "namespaces":
      return { phase: "Active" };
    case "customresourcedefinitions":
      return { conditions: ["NamesAccepted", "Established"].map((type) => ({ type, status: "True" })) };
    case "persistentvolumeclaims":
      return { phase: "Pending" };
    default:
      return {};
  }
}

const QOS_RESOURCES = ["cpu", "memory"] as const;

/** The QoS class of a pod, from the resources of its containers. A limit without a request is also the request. */
function qosClass({ containers, initContainers }: Fields): string {
  const resources = [...listOf(containers), ...listOf(initContainers)].map((container) => {
    const { requests, limits = {} } = (container.resources ?? {}) as { requests?: Fields; limits?: Fields };
    return { requests: { ...limits, ...requests }, limits };
  });
  const isAsking = resources.some(({ requests }) => QOS_RESOURCES.some((name) => requests[name] !== undefined));
  if (!isAsking) return "BestEffort";
  const isFixed = resources.every(({ requests, limits }) =>
    QOS_RESOURCES.every((name) => limits[name] !== undefined && sameJson(limits[name], requests[name]))
  );
  return isFixed ? "Guaranteed" : "Burstable";
}

function podSpec(spec: Fields): Fields {
  const account = spec.serviceAccountName ?? spec.serviceAccount ?? "default";
  return {
    restartPolicy: "Always",
    dnsPolicy: "ClusterFirst",
    terminationGracePeriodSeconds: 30,
    securityContext: {},
    schedulerName: "default-scheduler",
    enableServiceLinks: true,
    ...spec,
    serviceAccountName: account,
    serviceAccount: account,
    ...(Array.isArray(spec.containers) && { containers: spec.containers.map(container) }),
    ...(Array.isArray(spec.initContainers) && { initContainers: spec.initContainers.map(container) }),
  };
}

function container(fields: Fields): Fields {
  const image = typeof fields.image === "string" ? fields.image : "";
  return {
    resources: {},
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: isMovingTag(image) ? "Always" : "IfNotPresent",
    ...fields,
    ...(Array.isArray(fields.ports) && { ports: fields.ports.map((port: Fields) => ({ protocol: "TCP", ...port })) }),
  };
}

/** Reports whether an image has no tag or digest, or the tag `latest`. */
function isMovingTag(image: string): boolean {
  const last = image.split("/").at(-1)!;
  return !last.includes("@") && (!last.includes(":") || last.endsWith(":latest"));
}

/** Moves `stringData`, which is write-only, into `data`. */
function secret(object: KubeObject): KubeObject {
  const { stringData, ...rest } = object;
  const data: Fields = { ...(rest.data as Fields) };
  for (const [name, text] of Object.entries((stringData ?? {}) as Record<string, string>)) {
    data[name] = new TextEncoder().encode(text).toBase64();
  }
  const { data: _, ...withoutData } = rest;
  return { ...withoutData, ...(Object.keys(data).length > 0 && { data }), type: object.type ?? "Opaque" } as KubeObject;
}
