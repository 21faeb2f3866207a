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
  type Parsed,
  parseWith,
  parseWorkflow,
  parseWorkflowTemplate,
  type Read,
  readAs,
  type ServiceAccount,
  StringMap,
  typeMeta,
  type Workflow,
  type WorkflowSpec,
  type WorkflowTemplate,
} from "@tiphys/model/api";
import { fieldsOf, isObject } from "@tiphys/base/fields_of";
import { TextCache } from "@tiphys/base/text_cache";
import type { KubeObject } from "@tiphys/kube";
import { withOwnIds } from "@tiphys/model/nodes";
import { isOverflow } from "@tiphys/base/overflow";

/** Specs that were read, by their text: of many workflows that say the same the first one's stands for all. */
const specs = new TextCache<WorkflowSpec>({ entries: 256, size: 1_000_000 });
/** A longer spec is hardly ever that of another workflow too. */
const MOST_CHARACTERS = 20_000;

/** A Workflow; its nodes have the IDs under which they are kept. */
export function readWorkflow(found: object): Read<Workflow> {
  const read = readAs(parseSharing(found), "cannot unmarshall spec");
  if (isProblem(read) || read.status?.nodes === undefined) return read;
  const nodes = withOwnIds(read.status.nodes);
  return nodes === read.status.nodes ? read : { ...read, status: { ...read.status, nodes } };
}

/** Parses a workflow whose spec is the very same object as that of those before it that say the same. */
function parseSharing(found: object): Parsed<Workflow> {
  const text = textOf(fieldsOf(found).spec);
  const known = text === undefined ? undefined : specs.get(text);
  const parsed = parseWorkflow(known ? { ...found, spec: {} } : found, "lenient");
  if (!parsed.ok) return parsed;
  if (known) return { ok: true, value: { ...parsed.value, spec: known } };
  if (text !== undefined && text.length <= MOST_CHARACTERS) specs.set(text, parsed.value.spec);
  return parsed;
}

/**
 * The text of a spec; undefined for none, for one that is too long to be kept, and for one that is nested too deeply to be
 * written: that the parser tells of.
 */
function textOf(spec: unknown): string | undefined {
  try {
    return isObject(spec) && isShort(spec) ? JSON.stringify(spec) : undefined;
  } catch (error) {
    if (!isOverflow(error)) throw error;
    return undefined;
  }
}

/** Whether the text of a spec may be short enough, told without making it: a long one would be made for nothing each time. */
function isShort(spec: object): boolean {
  const open: unknown[] = [spec];
  let room = MOST_CHARACTERS;
  // The list is walked through to what is added meanwhile.
  for (const value of open) {
    const parts = typeof value === "object" && value !== null ? Object.values(value) : [];
    room -= typeof value === "string" ? value.length : parts.length;
    if (room < 0) return false;
    for (const part of parts) open.push(part);
  }
  return true;
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
