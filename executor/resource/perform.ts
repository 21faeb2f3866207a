/** The actions of a resource template, with the behavior of kubectl. */
import type { KubeObject } from "@tiphys/kube/object";
import { GROUP } from "@tiphys/base/constants";
import type { PatchType, WriteOptions } from "@tiphys/kube/client";
import { classifyError } from "@tiphys/kube/errors";
import { ExecutorError } from "../failure.ts";
import { apply, setLastApplied } from "./apply.ts";
import { deleteObject } from "./delete.ts";
import type { Action, Flags } from "./flags.ts";
import { kubectlMessage } from "./kubectl_message.ts";
import type { Manifest } from "./manifest.ts";
import { type ActionContext, manifestTargets, namedTargets, type Target } from "./targets.ts";
import { isObject } from "@tiphys/base/fields_of";

/** A request to perform the action of a template. */
export interface ActionRequest {
  readonly action: Action;
  readonly manifest: Manifest;
  readonly mergeStrategy: string;
  readonly signal: AbortSignal;
}

/** An object as the server returned it, and its address. */
export interface ActionResult {
  readonly target: Target;
  readonly object: KubeObject;
}

/**
 * Performs the action. Resolves to its object; undefined if there is no object, as after `delete`.
 * @throws {KubeError} for a transient error.
 * @throws {ExecutorError} with kubectl's message for any other error.
 */
export async function performAction(context: ActionContext, request: ActionRequest): Promise<ActionResult | undefined> {
  const { action } = request;
  const targets = await findTargets(context, request);
  if (action === "delete") {
    for (const target of targets) {
      await withKubectlMessage(request, () => deleteObject(context, target, request.signal));
    }
    return undefined;
  }
  const [target] = targets;
  if (target === undefined || targets.length > 1) {
    throw new ExecutorError(`Expected one object for "${action}", got ${targets.length}`);
  }
  if (!target.name && (action !== "create" || !target.object?.metadata.generateName)) {
    throw new ExecutorError("error: resource name may not be empty");
  }
  const object = await withKubectlMessage(request, () => performOnTarget(context, { ...request, action }, target));
  return object && { target: { ...target, name: object.metadata.name ?? "" }, object };
}

/** A request for one object. */
type SingleActionRequest = ActionRequest & { readonly action: Exclude<Action, "delete"> };

async function performOnTarget(
  context: ActionContext,
  request: SingleActionRequest,
  target: Target,
): Promise<KubeObject | undefined> {
  const { client, flags } = context;
  const { resource, namespace, name, object } = target;
  switch (request.action) {
    case "get":
      return await client.get(resource, namespace, name).catch((error) => {
        if (classifyError(error) === "notFound" && flags.isOn("ignore-not-found")) return undefined;
        throw error;
      });
    case "create":
      return await client.create(resource, namespace, prepareObject(flags, object!), writeOptions(context, target));
    case "apply":
      return await apply(context, target, writeOptions(context, target));
    case "replace":
      return await replace(context, target, request.signal);
    case "patch": {
      const { fieldValidation: _, ...options } = writeOptions(context, target);
      const subresource = flags.text("subresource") as WriteOptions["subresource"];
      const type = flags.text("type") ?? request.mergeStrategy;
      return await client.patch(resource, namespace, name, patchOf(request, target), patchType(type), {
        ...options,
        subresource,
      });
    }
  }
}

/** Returns the objects of the action: those of the manifest, unless the flags name some. */
async function findTargets(
  context: ActionContext,
  { action, manifest, mergeStrategy }: ActionRequest,
): Promise<Target[]> {
  const { words } = context.flags;
  if (manifest.documents.length === 0 && words.length === 0) {
    throw new ExecutorError("Must provide at least one of flags or manifest.");
  }
  const isNamed = words.length > 0;
  const isBarePatch = action === "patch" && (mergeStrategy === "json" || !hasKind(manifest.documents[0]));
  if (isNamed && (manifest.documents.length === 0 || isBarePatch)) return await namedTargets(context);
  if (isNamed) throw new ExecutorError("error: a manifest and names of objects in the flags exclude each other");
  if (isBarePatch) {
    throw new ExecutorError("error: must specify one of -f and -k: the flags of a patch without kind name its object");
  }
  return await manifestTargets(context, manifest);
}

function hasKind(document: unknown): boolean {
  return isObject(document) && Boolean(document.kind);
}

/** The body of a patch: the whole manifest, which may be a list of operations. */
function patchOf({ manifest }: ActionRequest, { object }: Target): unknown {
  return object ?? manifest.documents[0];
}

function patchType(strategy: string): PatchType {
  if (strategy === "strategic" || strategy === "merge" || strategy === "json") return strategy;
  throw new ExecutorError(`error: --type must be one of [json merge strategic], not ${JSON.stringify(strategy)}`);
}

function prepareObject(flags: Flags, object: KubeObject): KubeObject {
  return flags.isOn("save-config") ? setLastApplied(object) : object;
}

async function replace(context: ActionContext, target: Target, signal: AbortSignal) {
  const { client, flags } = context;
  const { resource, namespace, name, object } = target;
  const body = prepareObject(flags, object!);
  if (flags.isOn("force")) {
    await deleteObject(context, { resource, namespace, name }, signal);
    return await client.create(resource, namespace, body, writeOptions(context, target));
  }
  // A manifest without a resourceVersion replaces the current version unconditionally.
  const resourceVersion = body.metadata.resourceVersion ??
    (await client.get(resource, namespace, name)).metadata.resourceVersion;
  const metadata = { ...body.metadata, resourceVersion };
  return await client.replace<KubeObject>(resource, namespace, { ...body, metadata }, writeOptions(context, target));
}

const VALIDATION = { strict: "Strict", true: "Strict", warn: "Warn", ignore: "Ignore", false: "Ignore" } as const;

/**
 * For Argo's own kinds the server only warns of unknown fields by default: Argo's minimal CRDs accept every field, so
 * existing workflows may contain some. The flag `--validate` overrides it.
 */
function writeOptions({ flags }: ActionContext, { resource }: Target): WriteOptions {
  const validate = flags.text("validate") ?? (resource.group === GROUP ? "warn" : "strict");
  if (!Object.hasOwn(VALIDATION, validate)) {
    throw new ExecutorError(
      `error: invalid validation option "${validate}": expected strict, warn, ignore, true or false`,
    );
  }
  const dryRun = flags.text("dry-run") ?? "none";
  if (dryRun !== "none" && dryRun !== "server") {
    throw new ExecutorError(`error: invalid dry-run value "${dryRun}": expected none or server`);
  }
  return {
    fieldValidation: VALIDATION[validate as keyof typeof VALIDATION],
    fieldManager: flags.text("field-manager"),
    dryRun: dryRun === "server",
  };
}

const DOING: Readonly<Partial<Record<Action, string>>> = {
  create: "creating",
  apply: "applying",
  delete: "deleting",
  replace: "replacing",
};

/** Converts errors to kubectl's messages. Transient errors are rethrown unchanged, to be retried. */
async function withKubectlMessage<T>({ action, manifest }: ActionRequest, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ExecutorError || classifyError(error) === "transient") throw error;
    const verb = manifest.documents.length > 0 ? DOING[action] : undefined;
    throw new ExecutorError(kubectlMessage(error, verb && `${verb} "${manifest.source}"`), { cause: error });
  }
}
