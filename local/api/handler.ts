/** Handles a request and returns the response. */

import type { KubeStatus } from "@tiphys/kube/errors";
import type { TextWorker } from "@tiphys/language/text_worker";
import { applyObject } from "./writing/apply_object.ts";
import { type Act, type Caller, checkMayChange, checkMayDo, OURSELVES } from "./access/caller.ts";
import type { ApiContext } from "./context.ts";
import { createObject } from "./writing/create.ts";
import { deleteObject, parseDeleteOptions } from "./writing/delete.ts";
import { discoveryDocument, rootPaths, SERVER_VERSION } from "./described/discovery.ts";
import {
  checkPrevious,
  checkStarted,
  type KubeletHooks,
  namedContainer,
  parseLogOptions,
  requireKubelet,
} from "./kubelet/kubelet_hooks.ts";
import { listPage, listText } from "./reading/list.ts";
import { openapiResponse } from "./described/openapi.ts";
import { answerReview, TOKEN_REVIEWS } from "./access/reviews.ts";
import { reviewToken } from "./access/token_review.ts";
import { parseRoute, type Route } from "./route.ts";
import { badRequest, methodNotAllowed, pathNotFound, StatusError, statusOf, statusResponse } from "./status_error.ts";
import { isWatch } from "./reading/list_options.ts";
import {
  metadataText,
  objectText,
  pageText,
  renderingOf,
  type Representation,
  representationOf,
  textResponse,
} from "./reading/representation.ts";
import { includedObject } from "./reading/table.ts";
import { issueToken } from "./access/token_request.ts";
import { type TokenSource, withAccountToken } from "./access/token_secret.ts";
import { collectionName } from "./store.ts";
import { mergePatch, readPatch } from "./writing/patch_body.ts";
import { getStored, patchObject, replaceObject, type Target } from "./writing/update.ts";
import { watchStream } from "./reading/watch.ts";
import { asObject } from "./body.ts";
import { LargeWrite } from "./writing/large_writes.ts";
import {
  parseWriteFlags,
  readBody,
  readSizedBody,
  type WriteFlags,
  type WriteResult,
} from "./writing/write_request.ts";

/** The parts of the server that the handler needs in addition to the objects. */
export interface HandlerWorld extends TokenSource {
  readonly context: ApiContext;
  readonly kubelet: () => KubeletHooks | undefined;
  /** Returns the caller of a token; undefined if it is not valid now. */
  readonly callerOf: (token: string) => Promise<Caller | undefined>;
  /** Parses large bodies, and checks large objects. */
  readonly texts: TextWorker;
}

type CollectionRoute = Extract<Route, { kind: "collection" }>;
type ObjectRoute = Extract<Route, { kind: "object" }>;

/** The media type of an apply: JSON or YAML. */
const APPLY = "application/apply-patch+yaml";

/** Responds to a request of a caller. Any error becomes a Status object. */
export async function handleRequest(world: HandlerWorld, request: Request, caller = OURSELVES): Promise<Response> {
  try {
    return await answer(world, request, caller);
  } catch (error) {
    return errorResponse(error);
  }
}

/** The response for an error of a request. */
export function errorResponse(error: unknown): Response {
  return statusResponse(statusOf(error));
}

async function answer(world: HandlerWorld, request: Request, caller: Caller): Promise<Response> {
  const { context } = world;
  const url = new URL(request.url);
  const route = parseRoute(url.pathname, context.resources);
  switch (route.kind) {
    case "health":
      return new Response("ok");
    case "version":
      return jsonResponse(SERVER_VERSION);
    case "discovery":
      return jsonResponse(discoveryDocument(route.path, context.resources));
    case "openapi":
      return openapiResponse(request, route.path, context.resources);
    case "root":
      return jsonResponse({ paths: rootPaths(context.resources) });
    case "review":
      if (route.name === TOKEN_REVIEWS) {
        const asked = await readBody(request, { ...world, caller });
        return jsonResponse(await reviewToken(asked, world.callerOf), 201);
      }
      return jsonResponse(
        answerReview(route.name, await readBody(request, { ...world, caller }), caller, context.resources),
        201,
      );
    case "collection":
      return await answerCollection({ ...world, caller }, request, url.searchParams, route);
    case "object":
      return await answerObject({ ...world, caller }, request, url.searchParams, route);
  }
}

/** The server, and the caller of a request. */
interface CallWorld extends HandlerWorld {
  readonly caller: Caller;
}

const VERBS: Readonly<Record<string, string>> = {
  GET: "get",
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/**
 * Returns the action of a request.
 * @throws {StatusError} 403 if the caller may not perform it.
 */
function authorizeAct(
  { caller }: CallWorld,
  request: Request,
  query: URLSearchParams,
  route: CollectionRoute | ObjectRoute,
): Act {
  const { resource: { group, plural, namespaced }, namespace } = route;
  const verb = route.kind === "object"
    ? VERBS[request.method] ?? ""
    : { GET: isWatch(query) ? "watch" : "list", DELETE: "deletecollection" }[request.method] ?? VERBS[request.method] ??
      "";
  const { name, subresource } = route.kind === "object" ? route : {};
  const act: Act = { verb, group, plural, subresource, namespace, name };
  checkMayDo(caller, act, namespaced);
  return act;
}

async function answerCollection(
  world: CallWorld,
  request: Request,
  query: URLSearchParams,
  route: CollectionRoute,
): Promise<Response> {
  const { context, caller } = world;
  const act = authorizeAct(world, request, query, route);
  const { resource, namespace } = route;
  const accept = request.headers.get("accept");
  switch (request.method) {
    case "GET": {
      const included = includedObject(query);
      if (isWatch(query)) {
        const { form } = representationOf(accept, false);
        const rendering = renderingOf(form, resource, context.now, included);
        return new Response(watchStream(context, resource, namespace, query, rendering), {
          headers: { "content-type": "application/json", "cache-control": "no-cache, private" },
        });
      }
      const representation = representationOf(accept, true);
      const page = listPage(context, resource, namespace, query);
      return textResponse(pageText(representation.form, resource, page, context.now(), included), representation);
    }
    case "POST": {
      const { body, bodyBytes } = await readSizedBody(request, world);
      const object = await withAccountToken(world, resource, namespace, asObject(body));
      const check: WriteFlags["check"] = (before, next) => checkMayChange(context, caller, act, before, next);
      const flags = { ...parseWriteFlags(request, check), bodyBytes, large: new LargeWrite(world) };
      const representation = representationOf(accept, false);
      return writeResponse(await createObject(context, resource, namespace, object, flags), representation);
    }
    case "DELETE": {
      const options = parseDeleteOptions(await readBody(request, world), query);
      const page = listPage(context, resource, namespace, query);
      for (const { object } of page.items) checkMayChange(context, caller, act, object, undefined);
      const items = page.items.map((stored) => ({
        ...stored,
        text: deleteObject(context, resource, stored, options).text,
      }));
      return jsonText(listText(resource, { ...page, items }));
    }
    default:
      throw methodNotAllowed();
  }
}

async function answerObject(
  world: CallWorld,
  request: Request,
  query: URLSearchParams,
  route: ObjectRoute,
): Promise<Response> {
  const { context, caller } = world;
  const { resource, subresource } = route;
  const act = authorizeAct(world, request, query, route);
  const check: WriteFlags["check"] = (before, next) => checkMayChange(context, caller, act, before, next);
  const flagsOf = (): WriteFlags => ({ ...parseWriteFlags(request, check), large: new LargeWrite(world) });
  const actsOn = subresource !== undefined && resource.subresources.includes(subresource);
  if (actsOn) return await answerAction(world, request, query, route);
  if (subresource !== undefined && !(subresource === "status" && resource.statusSubresource)) throw pathNotFound();
  const representation = representationOf(request.headers.get("accept"), false);
  switch (request.method) {
    case "GET": {
      const stored = getStored(context, route);
      const text = objectText(representation.form, resource, stored, context.now(), includedObject(query));
      return textResponse(text, representation);
    }
    case "PUT": {
      const { body, bodyBytes } = await readSizedBody(request, world);
      const flags = { ...flagsOf(), bodyBytes };
      return writeResponse(await replaceObject(context, route, asObject(body), flags), representation);
    }
    case "PATCH": {
      const mediaType = (request.headers.get("content-type") ?? "").split(";")[0]!.trim();
      const flags = flagsOf();
      if (mediaType === APPLY) {
        const { body, bodyBytes } = await readSizedBody(request, world);
        const applied = asObject(body);
        checkApplier(query);
        const key = route.namespace === undefined ? route.name : `${route.namespace}/${route.name}`;
        const isNew = context.store.get(collectionName(resource), key) === undefined;
        const made = await applyObject(context, route, applied, { ...flags, bodyBytes });
        if (!isNew || flags.dryRun) return writeResponse(made, representation);
        // The applier does not own the token: it is written separately, so that it remains after another apply.
        const filled = await withAccountToken(world, resource, route.namespace, applied);
        if (filled === applied) return writeResponse(made, representation);
        const patched = await patchObject(context, route, mergePatch({ data: filled.data }), flagsOf());
        return writeResponse(patched, representation);
      }
      const patch = await readPatch(request, mediaType, resource, world);
      return writeResponse(await patchObject(context, route, patch, flags), representation);
    }
    case "DELETE": {
      const options = parseDeleteOptions(await readBody(request, world), query);
      const { object } = getStored(context, route);
      checkMayChange(context, caller, act, object, undefined);
      const deletion = deleteObject(context, resource, getStored(context, route), options);
      // A deleted pod is returned as it was; for other deleted objects, a Status is returned.
      if (!deletion.gone || (resource.builtIn && resource.plural === "pods")) return jsonText(deletion.text);
      return jsonResponse(successStatus(route, object.metadata.uid));
    }
    default:
      throw methodNotAllowed();
  }
}

/** @throws {StatusError} 422 if an apply has no field manager. */
function checkApplier(query: URLSearchParams): void {
  if (query.get("fieldManager")) return;
  const cause = {
    reason: "FieldValueRequired",
    field: "fieldManager",
    message: "Required value: is required for apply patch",
  };
  const message = `PatchOptions.meta.k8s.io "" is invalid: ${cause.field}: ${cause.message}`;
  throw new StatusError(422, "Invalid", message, { group: "meta.k8s.io", kind: "PatchOptions", causes: [cause] });
}

function successStatus(route: Target, uid = ""): KubeStatus {
  const { name, resource: { group, plural } } = route;
  const details = { name, ...(group && { group }), kind: plural, uid };
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}

/** Handles subresources that perform an action instead of storing something. */
async function answerAction(
  world: CallWorld,
  request: Request,
  query: URLSearchParams,
  route: ObjectRoute,
): Promise<Response> {
  const { context, kubelet, tokens } = world;
  const { namespace = "" } = route;
  if (route.subresource === "log") {
    if (request.method !== "GET") throw methodNotAllowed();
    const { pod, container } = namedContainer(context, route, query.get("container"));
    const options = parseLogOptions(query);
    (options.previous ? checkPrevious : checkStarted)(context, route, container);
    const stream = await requireKubelet(kubelet()).logs(namespace, pod, container, options);
    return new Response(stream, { headers: { "content-type": "text/plain" } });
  }
  if (route.subresource === "exec") {
    namedContainer(context, route, query.get("container"));
    throw badRequest("Upgrade request required");
  }
  if (request.method !== "POST") throw methodNotAllowed();
  const body = await readBody(request, world);
  switch (route.subresource) {
    case "token":
      return jsonResponse(await issueToken(tokens, getStored(context, route).object, body, context.now()), 201);
    case "binding": {
      const node = (body as { target?: { name?: string } } | undefined)?.target?.name;
      if (!node) throw badRequest("Expected a Binding to name a node as its target");
      const pod = { ...route, subresource: undefined };
      await patchObject(context, pod, mergePatch({ spec: { nodeName: node } }), parseWriteFlags(request));
      return jsonResponse({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 }, 201);
    }
    case "eviction": {
      const { deleteOptions } = asObject(body);
      deleteObject(context, route.resource, getStored(context, route), parseDeleteOptions(deleteOptions, query));
      return jsonResponse({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 }, 201);
    }
    default:
      throw pathNotFound();
  }
}

function jsonResponse(value: unknown, status = 200): Response {
  return jsonText(JSON.stringify(value), status);
}

function jsonText(text: string, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(text, { status, headers: { "content-type": "application/json", ...headers } });
}

/** Maximum characters of one warning, and of all warnings of a response: clients refuse large headers. */
const MAX_WARNING = 256;
const MAX_WARNING_CHARACTERS = 4096;

function writeResponse({ text, created, warnings }: WriteResult, representation: Representation): Response {
  const told = representation.form === "metadata" ? metadataText(text) : text;
  const response = textResponse(told, representation, created ? 201 : 200);
  let left = MAX_WARNING_CHARACTERS;
  for (const warning of warnings) {
    const header = `299 - ${JSON.stringify(warning.slice(0, MAX_WARNING))}`;
    left -= header.length;
    if (left < 0) break;
    response.headers.append("warning", header);
  }
  return response;
}
