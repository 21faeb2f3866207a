/** From a request to its answer. */

import type { KubeStatus } from "../../lib/kube/mod.ts";
import { applyObject } from "./apply_object.ts";
import type { ApiContext } from "./context.ts";
import { createObject } from "./create.ts";
import { deleteObject, parseDeleteOptions } from "./delete.ts";
import { discoveryDocument, SERVER_VERSION } from "./discovery.ts";
import {
  checkBegun,
  checkPrevious,
  type KubeletHooks,
  namedContainer,
  parseLogOptions,
  requireKubelet,
} from "./kubelet_hooks.ts";
import { listPage, listText } from "./list.ts";
import { openapiResponse } from "./openapi.ts";
import { answerReview } from "./reviews.ts";
import { parseRoute, type Route } from "./route.ts";
import { badRequest, methodNotAllowed, pathNotFound, statusOf, statusResponse } from "./status_error.ts";
import { rowText, tableText, wantsTable } from "./table.ts";
import { issueToken } from "./token_request.ts";
import { type TokenSource, withAccountToken } from "./token_secret.ts";
import { existing, patchObject, replaceObject, type Target } from "./update.ts";
import { watchStream } from "./watch.ts";
import { asObject, parseWriteFlags, readBody, type Written } from "./write_request.ts";

/** What the handler needs beside the objects. */
export interface HandlerWorld extends TokenSource {
  readonly context: ApiContext;
  readonly kubelet: () => KubeletHooks | undefined;
}

type CollectionRoute = Extract<Route, { kind: "collection" }>;
type ObjectRoute = Extract<Route, { kind: "object" }>;

/** The media type of an apply: JSON or YAML. */
const APPLY = "application/apply-patch+yaml";

/** Who asks when nobody else is named: whoever holds this process's own client. */
const OURSELVES = "admin";

/** Answers a request of a user; whatever goes wrong becomes a Status object. */
export async function handleRequest(world: HandlerWorld, request: Request, user = OURSELVES): Promise<Response> {
  try {
    return await answer(world, request, user);
  } catch (error) {
    return errorResponse(error);
  }
}

/** The answer for anything thrown while a request was handled. */
export function errorResponse(error: unknown): Response {
  return statusResponse(statusOf(error));
}

async function answer(world: HandlerWorld, request: Request, user: string): Promise<Response> {
  const { context } = world;
  const url = new URL(request.url);
  const route = parseRoute(url.pathname, context.resources);
  switch (route.kind) {
    case "health":
      return new Response("ok");
    case "version":
      return json(SERVER_VERSION);
    case "discovery":
      return json(discoveryDocument(route.path, context.resources));
    case "openapi":
      return openapiResponse(request, route.path, context.resources);
    case "review":
      return json(answerReview(route.name, await readBody(request), user), 201);
    case "collection":
      return await answerCollection(world, request, url.searchParams, route);
    case "object":
      return await answerObject(world, request, url.searchParams, route);
  }
}

async function answerCollection(
  world: HandlerWorld,
  request: Request,
  query: URLSearchParams,
  { resource, namespace }: CollectionRoute,
): Promise<Response> {
  const { context } = world;
  const table = wantsTable(request.headers.get("accept"));
  switch (request.method) {
    case "GET": {
      if (query.get("watch") === "true" || query.get("watch") === "1") {
        const render = table
          ? { render: (s: Parameters<typeof rowText>[1]) => rowText(resource, s, context.now()) }
          : {};
        return new Response(watchStream(context, resource, namespace, query, render.render), {
          headers: { "content-type": "application/json", "cache-control": "no-cache, private" },
        });
      }
      const page = listPage(context, resource, namespace, query);
      return jsonText(table ? tableText(resource, page, context.now()) : listText(resource, page));
    }
    case "POST": {
      const object = await withAccountToken(world, resource, namespace, asObject(await readBody(request)));
      return written(createObject(context, resource, namespace, object, parseWriteFlags(request)));
    }
    case "DELETE": {
      const options = parseDeleteOptions(await readBody(request), query);
      const page = listPage(context, resource, namespace, query);
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
  world: HandlerWorld,
  request: Request,
  query: URLSearchParams,
  route: ObjectRoute,
): Promise<Response> {
  const { context } = world;
  const { resource, subresource } = route;
  const actsOn = subresource !== undefined && resource.subresources.includes(subresource);
  if (actsOn) return await answerAction(world, request, query, route);
  if (subresource !== undefined && !(subresource === "status" && resource.statusSubresource)) throw pathNotFound();
  switch (request.method) {
    case "GET": {
      const stored = existing(context, route);
      if (!wantsTable(request.headers.get("accept"))) return jsonText(stored.text);
      const page = { items: [stored], metadata: { resourceVersion: String(stored.version) } };
      return jsonText(tableText(resource, page, context.now()));
    }
    case "PUT":
      return written(replaceObject(context, route, asObject(await readBody(request)), parseWriteFlags(request)));
    case "PATCH": {
      const mediaType = (request.headers.get("content-type") ?? "").split(";")[0]!.trim();
      const patch = await readBody(request);
      const flags = parseWriteFlags(request);
      if (mediaType === APPLY) return written(applyObject(context, route, asObject(patch), flags));
      return written(patchObject(context, route, patch, mediaType, flags));
    }
    case "DELETE": {
      const options = parseDeleteOptions(await readBody(request), query);
      const deletion = deleteObject(context, resource, existing(context, route), options);
      // Pods come back as they were; of other objects that are gone, only the news.
      if (!deletion.gone || (resource.builtIn && resource.plural === "pods")) return jsonText(deletion.text);
      return json(success(route, deletion.text));
    }
    default:
      throw methodNotAllowed();
  }
}

function success(route: Target, text: string): KubeStatus {
  const { name, resource: { group, plural } } = route;
  const { uid } = (JSON.parse(text) as { metadata: { uid: string } }).metadata;
  const details = { name, ...(group && { group }), kind: plural, uid };
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}

/** Subresources that do something rather than hold something. */
async function answerAction(
  { context, kubelet, tokens }: HandlerWorld,
  request: Request,
  query: URLSearchParams,
  route: ObjectRoute,
): Promise<Response> {
  const { namespace = "", name } = route;
  if (route.subresource === "log") {
    if (request.method !== "GET") throw methodNotAllowed();
    const { pod, container } = namedContainer(context, route, query.get("container"));
    const options = parseLogOptions(query);
    (options.previous ? checkPrevious : checkBegun)(context, route, container);
    const stream = await requireKubelet(kubelet()).logs(namespace, pod, container, options);
    return new Response(stream, { headers: { "content-type": "text/plain" } });
  }
  if (route.subresource === "exec") {
    namedContainer(context, route, query.get("container"));
    throw badRequest("Upgrade request required");
  }
  if (request.method !== "POST") throw methodNotAllowed();
  const body = await readBody(request);
  switch (route.subresource) {
    case "token":
      existing(context, route);
      return json(await issueToken(tokens, namespace, name, body, context.now()), 201);
    case "binding": {
      const node = (body as { target?: { name?: string } } | undefined)?.target?.name;
      if (!node) throw badRequest("Expected a Binding to name a node as its target");
      const patch = { spec: { nodeName: node } };
      patchObject(
        context,
        { ...route, subresource: undefined },
        patch,
        "application/merge-patch+json",
        parseWriteFlags(request),
      );
      return json({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 }, 201);
    }
    case "eviction": {
      const { deleteOptions } = asObject(body);
      deleteObject(context, route.resource, existing(context, route), parseDeleteOptions(deleteOptions, query));
      return json({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 }, 201);
    }
    default:
      throw pathNotFound();
  }
}

function json(value: unknown, status = 200): Response {
  return jsonText(JSON.stringify(value), status);
}

function jsonText(text: string, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(text, { status, headers: { "content-type": "application/json", ...headers } });
}

function written({ text, created, warnings }: Written): Response {
  const response = jsonText(text, created ? 201 : 200);
  for (const warning of warnings) response.headers.append("warning", `299 - ${JSON.stringify(warning)}`);
  return response;
}
