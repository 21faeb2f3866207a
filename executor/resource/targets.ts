/** The objects of a template's action: those of its manifest, or those that its flags name. */
import type { KubeClient } from "@tiphys/kube/client";
import type { KubeObject } from "@tiphys/kube/object";
import type { Resource } from "@tiphys/kube/resources";
import { ExecutorError } from "../failure.ts";
import type { Discovery } from "./discovery.ts";
import type { Flags } from "./flags.ts";
import type { Manifest } from "./manifest.ts";
import { isObject } from "@tiphys/base/fields_of";

/** An object by its address; `name` is empty if the server generates it. */
export interface Target {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string;
  /** The object of the manifest. */
  readonly object?: KubeObject;
}

/** The client and settings of an action. */
export interface ActionContext {
  readonly client: KubeClient;
  readonly discovery: Discovery;
  /** The namespace of the pod. */
  readonly namespace: string;
  readonly flags: Flags;
}

/**
 * Returns the objects of a manifest.
 * @throws {ExecutorError} when the server does not know a kind, or the flags name another namespace.
 */
export async function manifestTargets(context: ActionContext, manifest: Manifest): Promise<Target[]> {
  return await Promise.all(manifest.documents.map((document) => manifestTarget(context, document, manifest.source)));
}

async function manifestTarget(context: ActionContext, document: unknown, source: string): Promise<Target> {
  const object = { ...isObject(document) ? document : {} } as Partial<KubeObject>;
  const { apiVersion = "", kind = "", metadata = {} } = object;
  for (const [field, value] of Object.entries({ apiVersion, kind })) {
    if (!value) throw new ExecutorError(`error: error validating "${source}": error validating data: ${field} not set`);
  }
  const resource = await context.discovery.findByKind(apiVersion, kind);
  if (!resource) {
    throw new ExecutorError(
      `error: resource mapping not found for name: "${metadata.name ?? ""}" namespace: "${metadata.namespace ?? ""}" ` +
        `from "${source}": no matches for kind "${kind}" in version "${apiVersion}"\nensure CRDs are installed first`,
    );
  }
  const namespace = namespaceOf(context, resource, metadata.namespace);
  return { resource, namespace, name: metadata.name ?? "", object: { ...object, metadata } };
}

function namespaceOf(context: ActionContext, resource: Resource, own: string | undefined): string | undefined {
  if (!resource.namespaced) return undefined;
  const requested = context.flags.text("namespace");
  if (requested && own && requested !== own) {
    throw new ExecutorError(
      `error: the namespace from the provided object "${own}" does not match the namespace "${requested}". ` +
        `You must pass '--namespace=${own}' to perform this operation.`,
    );
  }
  return own || requested || context.namespace;
}

/**
 * Returns the objects that the positional arguments name: `pod a b`, `pod/a`, or a type with a selector.
 * @throws {ExecutorError} when they name no object and no selector.
 */
export async function namedTargets(context: ActionContext): Promise<Target[]> {
  const { words } = context.flags;
  if (words.every((word) => word.includes("/"))) {
    const named = words.map((word) => word.split("/"));
    return await Promise.all(
      named.map(async ([type = "", name = ""]) =>
        createTarget(context, await context.discovery.findByWord(type), name)
      ),
    );
  }
  const [types = "", ...names] = words;
  const resources = await Promise.all(types.split(",").map((type) => context.discovery.findByWord(type)));
  if (names.length > 0) {
    return resources.flatMap((resource) => names.map((name) => createTarget(context, resource, name)));
  }
  return (await Promise.all(resources.map((resource) => selectTargets(context, resource)))).flat();
}

function createTarget(context: ActionContext, resource: Resource, name: string): Target {
  return { resource, name, namespace: namespaceOf(context, resource, undefined) };
}

async function selectTargets(context: ActionContext, resource: Resource): Promise<Target[]> {
  const { flags } = context;
  const [labelSelector, fieldSelector] = [flags.text("selector"), flags.text("field-selector")];
  if (!labelSelector && !fieldSelector && !flags.isOn("all")) {
    throw new ExecutorError("error: resource(s) were provided, but no name was specified");
  }
  const everywhere = flags.isOn("all-namespaces");
  const namespace = everywhere ? undefined : namespaceOf(context, resource, undefined);
  const { items } = await context.client.list(resource, namespace, { labelSelector, fieldSelector });
  return items.map(({ metadata }) => ({ resource, namespace: metadata.namespace, name: metadata.name ?? "" }));
}
