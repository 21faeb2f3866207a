/** `apply`: like kubectl's default on the client's side, with --server-side on the server's. */
import { parseJson } from "../../lib/bounded_json.ts";
import { type Fields, isObject } from "../../lib/fields_of.ts";
import { marshalJson, type Value } from "../../lib/go/mod.ts";
import type { WriteOptions } from "../../lib/kube/client.ts";
import { sortError } from "../../lib/kube/errors.ts";
import type { KubeObject } from "../../lib/kube/object.ts";
import { mergeTypeOfKind } from "../../lib/kube/patch/merge_tables.ts";
import { createThreeWayPatch } from "../../lib/kube/patch/three_way.ts";
import { ExecutorError } from "../failure.ts";
import type { Place, Target } from "./targets.ts";

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** The number of attempts, each but the first because somebody else wrote in between. */
const MAX_ATTEMPTS = 5;

/** Creates the object, or gives the one that is there what the manifest says and takes what it no longer says. */
export async function apply(place: Place, target: Target, options: WriteOptions): Promise<KubeObject> {
  const { client, flags } = place;
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
  const modified = withLastApplied(object);
  for (let attempt = 1;; attempt++) {
    try {
      return await applyOnce(place, target, modified, options);
    } catch (error) {
      const sort = sortError(error);
      const isRace = sort === "conflict" || sort === "alreadyExists";
      if (!isRace || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function applyOnce(
  { client }: Place,
  { resource, namespace, name }: Target,
  modified: KubeObject,
  options: WriteOptions,
): Promise<KubeObject> {
  const current = await client.get(resource, namespace, name).catch((error) => {
    if (sortError(error) === "notFound") return undefined;
    throw error;
  });
  if (!current) return await client.create(resource, namespace, modified, options);
  const original = lastApplied(current);
  const type = isOfKubernetes(resource.group) ? mergeTypeOfKind(resource.kind) : "Any";
  const patch = createThreeWayPatch({ original, modified, current, type });
  if (patch === undefined) return current;
  const { resourceVersion } = current.metadata;
  const metadata = { ...(patch as { metadata?: object }).metadata, resourceVersion };
  return await client.patch(resource, namespace, name, { ...patch as object, metadata }, "merge", options);
}

/** Kinds of custom resources have lists without keys. */
function isOfKubernetes(group: string): boolean {
  return !group.includes(".") || group.endsWith(".k8s.io");
}

/** The object with itself in the annotation by which the next apply knows what this one said. */
export function withLastApplied(object: KubeObject): KubeObject {
  const annotate = (annotations: Record<string, string>) => ({
    ...object,
    metadata: { ...object.metadata, annotations },
  });
  const { [LAST_APPLIED]: _, ...annotations } = object.metadata.annotations ?? {};
  // deno-lint-ignore tiphys/no-double-cast -- an object of the server came as JSON
  const said = `${marshalJson(annotate(annotations) as unknown as Value, { escapeHtml: false })}\n`;
  return annotate({ ...annotations, [LAST_APPLIED]: said });
}

/** The object as the last apply said it. Text that is none is not quoted: what was applied may be a Secret. */
function lastApplied(object: KubeObject): Fields | undefined {
  const said = object.metadata.annotations?.[LAST_APPLIED];
  if (said === undefined) return undefined;
  const value = parsedJson(said);
  if (isObject(value)) return value;
  const { kind = "the object", metadata: { name } } = object;
  throw new ExecutorError(`error: the annotation ${LAST_APPLIED} of ${kind} ${JSON.stringify(name)} is no JSON object`);
}

function parsedJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
