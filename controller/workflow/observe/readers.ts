/**
 * The readers of the objects that the controller works with. Objects of our kinds may have any shape where a cluster has
 * minimal CRDs; what is none of its kind is a fact with a message, in Argo's words where it has them, and with the place of
 * what is wrong. Nothing behind the local copies looks at an object that was not read. Pods are read by
 * `readPod`, in a way that each event of a watch can afford.
 */
import { z } from "zod";
import {
  type ClusterWorkflowTemplate,
  type ConfigMap,
  isProblem,
  object,
  ObjectMeta,
  parseClusterWorkflowTemplate,
  parseWith,
  parseWorkflow,
  parseWorkflowTemplate,
  type Read,
  readAs,
  type ServiceAccount,
  StringMap,
  typeMeta,
  type Workflow,
  type WorkflowTemplate,
} from "../../../lib/api/mod.ts";
import type { KubeObject } from "../../../lib/kube/mod.ts";
import { withOwnIds } from "../../../lib/nodes/mod.ts";

/** A Workflow; its nodes have the IDs under which they are kept. */
export function readWorkflow(found: object): Read<Workflow> {
  const read = readAs(parseWorkflow(found, "lenient"), "cannot unmarshall spec");
  if (isProblem(read) || read.status?.nodes === undefined) return read;
  const nodes = withOwnIds(read.status.nodes);
  return nodes === read.status.nodes ? read : { ...read, status: { ...read.status, nodes } };
}

/** A WorkflowTemplate. */
export function readWorkflowTemplate(found: KubeObject): Read<WorkflowTemplate> {
  const { namespace, name } = found.metadata;
  return readAs(parseWorkflowTemplate(found, "lenient"), `malformed workflow template "${namespace}/${name}"`);
}

/** A ClusterWorkflowTemplate. */
export function readClusterWorkflowTemplate(found: KubeObject): Read<ClusterWorkflowTemplate> {
  const what = `malformed cluster workflow template "${found.metadata.name}"`;
  return readAs(parseClusterWorkflowTemplate(found, "lenient"), what);
}

/** A ConfigMap whose texts workflows may refer to. */
export function readConfigMap(found: KubeObject): Read<ConfigMap> {
  return readAs(parseWith(ConfigMapSchema, found, "lenient"), `the ConfigMap ${found.metadata.name} cannot be read`);
}

/** A ServiceAccount. */
export function readServiceAccount(found: KubeObject): Read<ServiceAccount> {
  const parsed = parseWith(ServiceAccountSchema, found, "lenient");
  return readAs(parsed, `the ServiceAccount ${found.metadata.name} cannot be read`);
}

const ConfigMapSchema = object({ ...typeMeta, metadata: ObjectMeta, data: StringMap.optional() });

const Name = object({ name: z.string().optional() });
const ServiceAccountSchema = object({
  ...typeMeta,
  metadata: ObjectMeta,
  secrets: z.array(Name).optional(),
  imagePullSecrets: z.array(Name).optional(),
  automountServiceAccountToken: z.boolean().optional(),
});
