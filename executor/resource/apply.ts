/** `apply`: like kubectl's client-side apply, or server-side with --server-side. */
import { parseJson } from "@tiphys/base/bounded_json";
import { type Fields, isObject } from "@tiphys/base/fields_of";
import { marshalJson, type Value } from "@tiphys/base/go";
import type { WriteOptions } from "@tiphys/kube/client";
import { classifyError } from "@tiphys/kube/errors";
import type { KubeObject } from "@tiphys/kube/object";
import { mergeTypeOfKind } from "@tiphys/kube/patch/merge_tables";
import { createThreeWayPatch } from "@tiphys/kube/patch/three_way";
import { ExecutorError } from "../failure.ts";
import type { ActionContext, Target } from "./targets.ts";

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** The maximum number of attempts. A retry follows a conflicting write of another client. */
const MAX_ATTEMPTS = 5;

/**
 * Creates the object, or updates it: sets the fields of the manifest, and removes fields that only the previous
 * manifest had.
 */
export async function apply(context: ActionContext, target: Target, options: WriteOptions): Promise<KubeObject> {
  const { client, flags } = context;
  const { resource, namespace, name } = target;
  const object = target.object!;
  if (object.metadata.generateName) {
    throw new ExecutorError(`error: from ${object.metadata.generateName}: cannot use generate name with apply`);
  }
  if (flags.isOn("server-side")) {
    const force = flags.isOn("force-conflicts");
    const fieldManager = options.fieldManager ?? "kubectl";
    return await client.patch(resource, namespace, name, object, "apply", { ...options, fieldManager, force });
  }
  const modified = setLastApplied(object);
  for (let attempt = 1;; attempt++) {
    try {
      return await applyOnce(context, target, modified, options);
    } catch (error) {
      const sort = classifyError(error);
      const isRace = sort === "conflict" || sort === "alreadyExists";
      if (!isRace || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function applyOnce(
  { client }: ActionContext,
  { resource, namespace, name }: Target,
  modified: KubeObject,
  options: WriteOptions,
): Promise<KubeObject> {
  const current = await client.get(resource, namespace, name).catch((error) => {
    if (classifyError(error) === "notFound") return undefined;
    throw error;
  });
  if (!current) return await client.create(resource, namespace, modified, options);
  const original = readLastApplied(current);
  const type = isBuiltInGroup(resource.group) ? mergeTypeOfKind(resource.kind) : "Any";
  const patch = createThreeWayPatch({ original, modified, current, type });
  if (patch === undefined) return current;
  const { resourceVersion } = current.metadata;
  const metadata = { ...(patch as { metadata?: object }).metadata, resourceVersion };
  return await client.patch(resource, namespace, name, { ...patch as object, metadata }, "merge", options);
}

/** Custom resources have no merge keys for lists, so their type is `Any`. */
function isBuiltInGroup(group: string): boolean {
  return !group.includes(".") || group.endsWith(".k8s.io");
}

/**
 * Returns the object with itself in the last-applied annotation, from which the next apply learns the previous
 * manifest.
 */
export function setLastApplied(object: KubeObject): KubeObject {
  const annotate = (annotations: Record<string, string>) => ({
    ...object,
    metadata: { ...object.metadata, annotations },
  });
  const { [LAST_APPLIED]: _, ...annotations } = object.metadata.annotations ?? {};
  // deno-lint-ignore tiphys/no-double-cast -- an object of the server came as JSON
  const manifest = `${marshalJson(annotate(annotations) as unknown as Value, { escapeHtml: false })}\n`;
  return annotate({ ...annotations, [LAST_APPLIED]: manifest });
}

/** Returns the last applied manifest. An invalid annotation is not quoted in the error, because it may be a Secret. */
function readLastApplied(object: KubeObject): Fields | undefined {
  const annotation = object.metadata.annotations?.[LAST_APPLIED];
  if (annotation === undefined) return undefined;
  const value = parsedJson(annotation);
  if (isObject(value)) return value;
  const { kind = "the object", metadata: { name } } = object;
  throw new ExecutorError(
    `error: the annotation ${LAST_APPLIED} of ${kind} ${JSON.stringify(name)} is not a JSON object`,
  );
}

function parsedJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
