/**
 * The routes of event sources and sensors. Objects are passed through unchanged; the routes work if Argo Events is
 * installed.
 */
import { type KubeObject, PODS } from "@tiphys/kube";
import { selectedLogs } from "@tiphys/service";
import { filterBatches } from "@tiphys/service/line_filter";
import { right } from "../gate/rights.ts";
import { DELETE_OPTIONS, deleteOptions, LIST_OPTIONS } from "../routes/list_options.ts";
import { type Call, type Route, route } from "../routes/route.ts";
import { badRequest } from "../wire/errors.ts";
import { maskedList, presentList } from "../wire/present.ts";
import { objectField, textsField } from "../workflows/body_fields.ts";
import { withNamespace } from "../workflows/read.ts";
import { changes, watchOptions, withTimeout } from "../workflows/watch_routes.ts";
import { EVENT_KINDS, type EventKind } from "./kinds.ts";
import { entryFilter, entryOf } from "./log_entries.ts";

const LOG_QUERY = {
  name: "string",
  eventSourceType: "string",
  eventName: "string",
  triggerName: "string",
  grep: "string",
  "podLogOptions.container": "string",
  "podLogOptions.follow": "bool",
  "podLogOptions.previous": "bool",
  "podLogOptions.sinceSeconds": "int",
  "podLogOptions.tailLines": "int",
  "podLogOptions.limitBytes": "int",
} as const;

/** Returns the object of a request body. Only its metadata is checked; the CRD in the cluster validates the rest. */
function readObject({ body, params: { namespace = "" } }: Pick<Call, "body" | "params">, kind: EventKind): KubeObject {
  const sent = body[kind.field];
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) throw badRequest(kind.missing);
  const { metadata } = sent as { metadata?: unknown };
  if (typeof metadata !== "object" || metadata === null) {
    throw badRequest(`${kind.field}.metadata: an object is required`);
  }
  const { group, version, kind: name } = kind.resource;
  const { creationTimestamp: _time, ...rest } = metadata as Record<string, unknown>;
  for (const [field, value] of Object.entries(rest)) {
    if (["name", "namespace", "generateName"].includes(field) && typeof value !== "string") {
      throw badRequest(`${kind.field}.metadata.${field}: expected a string`);
    }
  }
  return withNamespace(
    { ...sent, apiVersion: `${group}/${version}`, kind: name, metadata: rest } as KubeObject,
    namespace,
  );
}

function routesOf(kind: EventKind): readonly Route[] {
  const { resource, service, many } = kind;
  const path = `/api/v1/${kind.path}/{namespace}`;
  const pathOfName = `${path}/{name}`;
  const stream = `/api/v1/stream/${kind.path}/{namespace}`;
  const toOne = (...verbs: readonly string[]) => ({ params: { namespace, name } }: Pick<Call, "params">) =>
    verbs.map((verb) => right(verb, resource, namespace, name));
  return [
    route({
      id: `${service}_List${many}`,
      method: "GET",
      path,
      query: { ...LIST_OPTIONS, fields: "string" },
      rights: ({ params: { namespace } }) => [right("list", resource, namespace)],
      async answer({ caller, query, params: { namespace }, mask }) {
        const { items, metadata } = await caller.client.list(resource, namespace || undefined, {
          labelSelector: query["listOptions.labelSelector"] || undefined,
          fieldSelector: query["listOptions.fieldSelector"] || undefined,
          limit: query["listOptions.limit"] || undefined,
          continue: query["listOptions.continue"] || undefined,
        });
        return { json: maskedList(mask, presentList(items, { ...metadata })) };
      },
    }),
    route({
      id: `${service}_Create${resource.kind}`,
      method: "POST",
      path,
      hasBody: true,
      rights: ({ params: { namespace } }) => [right("create", resource, namespace)],
      async answer(call) {
        const { caller, body, params: { namespace } } = call;
        const dryRun = textsField(objectField(body, "createOptions"), "dryRun").includes("All");
        return { json: await caller.client.create(resource, namespace, readObject(call, kind), { dryRun }) };
      },
    }),
    route({
      id: `${service}_Get${resource.kind}`,
      method: "GET",
      path: pathOfName,
      rights: toOne("get"),
      answer: async ({ caller, params: { namespace, name = "" } }) => ({
        json: await caller.client.get(resource, namespace, name),
      }),
    }),
    route({
      id: `${service}_Update${resource.kind}`,
      method: "PUT",
      path: pathOfName,
      hasBody: true,
      rights: toOne("update"),
      async answer(call) {
        const { caller, params: { namespace, name = "" } } = call;
        const sent = readObject(call, kind);
        if (sent.metadata.name && sent.metadata.name !== name) {
          throw badRequest(
            `${kind.field}.metadata.name: the path has ${JSON.stringify(name)}, got ${
              JSON.stringify(sent.metadata.name)
            }`,
          );
        }
        const object = { ...sent, metadata: { ...sent.metadata, name } };
        return { json: await caller.client.replace<KubeObject>(resource, namespace, object) };
      },
    }),
    route({
      id: `${service}_Delete${resource.kind}`,
      method: "DELETE",
      path: pathOfName,
      query: DELETE_OPTIONS,
      rights: toOne("delete"),
      async answer({ caller, query, params: { namespace, name = "" } }) {
        await caller.client.delete(resource, namespace, name, deleteOptions(query, undefined));
        return { json: {} };
      },
    }),
    route({
      id: `${service}_Watch${many}`,
      method: "GET",
      path: stream,
      query: LIST_OPTIONS,
      isStream: true,
      rights: ({ params: { namespace } }) => [right("watch", resource, namespace)],
      answer(call) {
        const { caller, query, params: { namespace } } = call;
        const watched = {
          client: caller.client,
          resource,
          namespace: namespace || undefined,
          ...watchOptions(query),
        };
        return Promise.resolve({ stream: withTimeout(call, (until) => changes(watched, until)) });
      },
    }),
    route({
      id: `${service}_${many}Logs`,
      method: "GET",
      path: `${stream}/logs`,
      query: LOG_QUERY,
      isStream: true,
      rights: ({ params: { namespace }, query }) => [
        right("list", PODS, namespace),
        right("get", PODS, namespace, undefined, "log"),
        ...(query["podLogOptions.follow"] ? [right("watch", PODS, namespace)] : []),
      ],
      answer: (call) => Promise.resolve({ batches: logs(call, kind) }),
    }),
  ];
}

type LogCall = Call<typeof LOG_QUERY>;

function logs({ caller, params: { namespace = "" }, query, served, signal }: LogCall, kind: EventKind) {
  if (!namespace) throw badRequest("namespace: a name is required");
  const fields = Object.fromEntries(
    kind.chosenBy.map((field) => [field, (query as Readonly<Record<string, unknown>>)[field] as string ?? ""]),
  );
  const matches = entryFilter({ grep: query.grep ?? "", fields });
  const name = query.name ?? "";
  if (!/^[\w.-]*$/.test(name)) throw badRequest(`name: expected the name of an object, got ${JSON.stringify(name)}`);
  const labelSelector = name ? `${kind.label}=${name}` : kind.label;
  const lines = selectedLogs({ client: caller.client, namespace, labelSelector }, {
    container: query["podLogOptions.container"] || undefined,
    follow: query["podLogOptions.follow"],
    previous: query["podLogOptions.previous"],
    sinceSeconds: query["podLogOptions.sinceSeconds"],
    tailLines: query["podLogOptions.tailLines"],
    limitBytes: query["podLogOptions.limitBytes"],
  }, signal);
  return filterBatches(entries(), matches);

  async function* entries() {
    for await (const batch of lines) yield batch.map((line) => entryOf(kind, line, served.now()));
  }
}

/** All routes of event sources and sensors. */
export const ARGO_EVENTS_ROUTES: readonly Route[] = EVENT_KINDS.flatMap(routesOf);
