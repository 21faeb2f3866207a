/**
 * The readers of the controller's objects. With minimal CRDs, objects of Argo's kinds may have any shape: an invalid
 * one is a fact with a message, in Argo's words where they exist, and with the location of the error. Behind the local
 * copies only parsed objects are used. `readPod` reads pods, fast enough for each event of a watch.
 */
import { z } from "zod";
import {
  type ClusterWorkflowTemplate,
  type ConfigMap,
  isProblem,
  object,
  ObjectMeta,
  parseClusterWorkflowTemplate,
  type ParseResult,
  parseWith,
  parseWorkflow,
  parseWorkflowTemplate,
  readAs,
  type ReadResult,
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

/** Parsed specs by their text: workflows with the same spec share one. */
const specs = new TextCache<WorkflowSpec>({ entries: 256, size: 1_000_000 });
/** A longer spec hardly ever occurs in another workflow. */
const MAX_CHARACTERS = 20_000;

/** Reads a Workflow; its nodes have the IDs under which they are stored. */
export function readWorkflow(stored: object): ReadResult<Workflow> {
  const read = readAs(parseSharing(stored), "cannot unmarshall spec");
  if (isProblem(read) || read.status?.nodes === undefined) return read;
  const nodes = withOwnIds(read.status.nodes);
  return nodes === read.status.nodes ? read : { ...read, status: { ...read.status, nodes } };
}

/** Parses a workflow so that it shares its spec with earlier workflows that have the same one. */
function parseSharing(stored: object): ParseResult<Workflow> {
  const text = textOf(fieldsOf(stored).spec);
  const known = text === undefined ? undefined : specs.get(text);
  const parsed = parseWorkflow(known ? { ...stored, spec: {} } : stored, "lenient");
  if (!parsed.ok) return parsed;
  if (known) return { ok: true, value: { ...parsed.value, spec: known } };
  if (text !== undefined && text.length <= MAX_CHARACTERS) specs.set(text, parsed.value.spec);
  return parsed;
}

/**
 * Returns the text of a spec; undefined if it is absent, too long to be kept, or too deeply nested to be written,
 * which the parser reports.
 */
function textOf(spec: unknown): string | undefined {
  try {
    return isObject(spec) && mayBeShortEnough(spec) ? JSON.stringify(spec) : undefined;
  } catch (error) {
    if (!isOverflow(error)) throw error;
    return undefined;
  }
}

/**
 * Whether the text of a spec may be short enough. This is found without creating the text, because creating a long
 * one each time would be wasted.
 */
function mayBeShortEnough(spec: object): boolean {
  const open: unknown[] = [spec];
  let room = MAX_CHARACTERS;
  // The loop also visits values that are added during the iteration.
  for (const value of open) {
    const parts = typeof value === "object" && value !== null ? Object.values(value) : [];
    room -= typeof value === "string" ? value.length : parts.length;
    if (room < 0) return false;
    for (const part of parts) open.push(part);
  }
  return true;
}

/** A WorkflowTemplate. */
export function readWorkflowTemplate(stored: KubeObject): ReadResult<WorkflowTemplate> {
  const { namespace, name } = stored.metadata;
  return readAs(parseWorkflowTemplate(stored, "lenient"), `malformed workflow template "${namespace}/${name}"`);
}

/** A ClusterWorkflowTemplate. */
export function readClusterWorkflowTemplate(stored: KubeObject): ReadResult<ClusterWorkflowTemplate> {
  const what = `malformed cluster workflow template "${stored.metadata.name}"`;
  return readAs(parseClusterWorkflowTemplate(stored, "lenient"), what);
}

/** A ConfigMap whose texts workflows may refer to. */
export function readConfigMap(stored: KubeObject): ReadResult<ConfigMap> {
  return readAs(
    parseWith(ConfigMapSchema, stored, "lenient"),
    `the ConfigMap ${stored.metadata.name} cannot be parsed`,
  );
}

/** A ServiceAccount. */
export function readServiceAccount(stored: KubeObject): ReadResult<ServiceAccount> {
  const parsed = parseWith(ServiceAccountSchema, stored, "lenient");
  return readAs(parsed, `the ServiceAccount ${stored.metadata.name} cannot be parsed`);
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
