/** The actions of a resource template, each as kubectl does it. */
import type { KubeObject } from "../../lib/kube/object.ts";
import { GROUP } from "../../lib/constants.ts";
import type { PatchType, WriteOptions } from "../../lib/kube/client.ts";
import { sortError } from "../../lib/kube/errors.ts";
import { ExecutorError } from "../failure.ts";
import { apply, withLastApplied } from "./apply.ts";
import { deleteObject } from "./delete.ts";
import type { Action, Flags } from "./flags.ts";
import { kubectlMessage } from "./kubectl_message.ts";
import type { Manifest } from "./manifest.ts";
import { manifestTargets, namedTargets, type Place, type Target } from "./targets.ts";
import { isObject } from "../../lib/fields_of.ts";

/** The work that a template asks for. */
export interface Order {
  readonly action: Action;
  readonly manifest: Manifest;
  readonly mergeStrategy: string;
  readonly signal: AbortSignal;
}

/** An object as the server has it, and where. */
export interface Made {
  readonly target: Target;
  readonly object: KubeObject;
}

/**
 * Does what is asked for; resolves to the object it was about, undefined when there is none any more.
 * @throws {KubeError} for trouble that may pass.
 * @throws {ExecutorError} with kubectl's words for everything else.
 */
export async function perform(place: Place, order: Order): Promise<Made | undefined> {
  const { action } = order;
  const targets = await targetsOf(place, order);
  if (action === "delete") {
    for (const target of targets) await explained(order, () => deleteObject(place, target, order.signal));
    return undefined;
  }
  const [target] = targets;
  if (target === undefined || targets.length > 1) {
    throw new ExecutorError(`Expected one object for "${action}", got ${targets.length}: a template has one`);
  }
  if (!target.name && (action !== "create" || !target.object?.metadata.generateName)) {
    throw new ExecutorError("error: resource name may not be empty");
  }
  const object = await explained(order, () => performOn(place, { ...order, action }, target));
  return object && { target: { ...target, name: object.metadata.name ?? "" }, object };
}

/** An order about one object. */
type SingleOrder = Order & { readonly action: Exclude<Action, "delete"> };

async function performOn(place: Place, order: SingleOrder, target: Target): Promise<KubeObject | undefined> {
  const { client, flags } = place;
  const { resource, namespace, name, object } = target;
  switch (order.action) {
    case "get":
      return await client.get(resource, namespace, name).catch((error) => {
        if (sortError(error) === "notFound" && flags.isOn("ignore-not-found")) return undefined;
        throw error;
      });
    case "create":
      return await client.create(resource, namespace, prepared(flags, object!), writeOptions(place, target));
    case "apply":
      return await apply(place, target, writeOptions(place, target));
    case "replace":
      return await replace(place, target, order.signal);
    case "patch": {
      const { fieldValidation: _, ...options } = writeOptions(place, target);
      const subresource = flags.text("subresource") as WriteOptions["subresource"];
      const type = flags.text("type") ?? order.mergeStrategy;
      return await client.patch(resource, namespace, name, patchOf(order, target), patchType(type), {
        ...options,
        subresource,
      });
    }
  }
}

/** The objects that the action is about: those of the manifest, unless the flags name some. */
async function targetsOf(place: Place, { action, manifest, mergeStrategy }: Order): Promise<Target[]> {
  const { words } = place.flags;
  if (manifest.documents.length === 0 && words.length === 0) {
    throw new ExecutorError("Must provide at least one of flags or manifest.");
  }
  const isNamed = words.length > 0;
  const isBarePatch = action === "patch" && (mergeStrategy === "json" || !hasKind(manifest.documents[0]));
  if (isNamed && (manifest.documents.length === 0 || isBarePatch)) return await namedTargets(place);
  if (isNamed) throw new ExecutorError("error: when the manifest says what is meant, the flags may not name it again");
  if (isBarePatch) {
    throw new ExecutorError("error: must specify one of -f and -k: the flags of a patch without kind name its object");
  }
  return await manifestTargets(place, manifest);
}

function hasKind(document: unknown): boolean {
  return isObject(document) && Boolean(document.kind);
}

/** The body of a patch: the whole manifest, also where it is a list of operations. */
function patchOf({ manifest }: Order, { object }: Target): unknown {
  return object ?? manifest.documents[0];
}

function patchType(strategy: string): PatchType {
  if (strategy === "strategic" || strategy === "merge" || strategy === "json") return strategy;
  throw new ExecutorError(`error: --type must be one of [json merge strategic], not ${JSON.stringify(strategy)}`);
}

function prepared(flags: Flags, object: KubeObject): KubeObject {
  return flags.isOn("save-config") ? withLastApplied(object) : object;
}

async function replace(place: Place, target: Target, signal: AbortSignal) {
  const { client, flags } = place;
  const { resource, namespace, name, object } = target;
  const body = prepared(flags, object!);
  if (flags.isOn("force")) {
    await deleteObject(place, { resource, namespace, name }, signal);
    return await client.create(resource, namespace, body, writeOptions(place, target));
  }
  // Without a version of its own, the manifest is meant to replace whatever is there.
  const resourceVersion = body.metadata.resourceVersion ??
    (await client.get(resource, namespace, name)).metadata.resourceVersion;
  const metadata = { ...body.metadata, resourceVersion };
  return await client.replace<KubeObject>(resource, namespace, { ...body, metadata }, writeOptions(place, target));
}

const VALIDATION = { strict: "Strict", true: "Strict", warn: "Warn", ignore: "Ignore", false: "Ignore" } as const;

/**
 * Argo's minimal definitions of its kinds take every field, so workflows that make workflows have some that were never
 * looked at: unless the flags want more, the server only warns of those.
 */
function writeOptions({ flags }: Place, { resource }: Target): WriteOptions {
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

/** The user's mistakes in kubectl's words; what may pass is thrown as it is, to be tried again. */
async function explained<T>({ action, manifest }: Order, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ExecutorError || sortError(error) === "transient") throw error;
    const verb = manifest.documents.length > 0 ? DOING[action] : undefined;
    throw new ExecutorError(kubectlMessage(error, verb && `${verb} "${manifest.source}"`), { cause: error });
  }
}
