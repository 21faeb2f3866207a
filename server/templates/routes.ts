/** The routes of templates and cron workflows: the same for each kind, and two more for cron workflows. */
import { CRON_WORKFLOWS, type KubeClient, type KubeObject, WORKFLOW_EVENT_BINDINGS } from "@tiphys/kube";
import { actorLabels, withActor } from "@tiphys/engine/workflow_actions";
import { right } from "../gate/rights.ts";
import { DELETE_OPTIONS, deleteOptions, GET_OPTIONS, LIST_OPTIONS } from "../routes/list_options.ts";
import { type Call, type Route, route } from "../routes/route.ts";
import { badRequest } from "../wire/errors.ts";
import { withCreator } from "../gate/creator.ts";
import { maskedList, presentCronWorkflow, presentList, presentObject } from "../wire/present.ts";
import type { QueryValues } from "../wire/query.ts";
import { objectField, textField, textsField } from "../workflows/body_fields.ts";
import { checkObject, lintObject } from "../workflows/checked.ts";
import { isOfInstance, placeInInstance } from "@tiphys/service/instance";
import { fieldWarnings, withWarnings } from "../workflows/warnings.ts";
import { withInstance } from "../workflows/query.ts";
import { readKind, withNamespace } from "../workflows/read.ts";
import { canRoute } from "../workflows/can_route.ts";
import { rightsToSubmit } from "../workflows/submit.ts";
import { TEMPLATE_KINDS, type TemplateKind } from "./kinds.ts";

const LIST_QUERY = { ...LIST_OPTIONS, namePattern: "string" } as const;

/** Parses the object of a body, and adds the namespace of the path and this server's instance. */
async function readObject(
  call: Pick<Call, "body" | "params" | "caller" | "served">,
  kind: TemplateKind,
): Promise<KubeObject> {
  const { body, params: { namespace = "" }, served } = call;
  const object: KubeObject = { ...await readKind(call, kind.kind, body[kind.field], kind) };
  return placeInInstance(withNamespace(object, kind.resource.namespaced ? namespace : ""), served.instanceId);
}

function namespaceOf({ params: { namespace = "" } }: Pick<Call, "params">, kind: TemplateKind): string | undefined {
  return kind.resource.namespaced ? namespace : undefined;
}

/**
 * The query of routes that return one object. With `stored`, it lacks the empty fields that Go's JSON encoder always
 * writes.
 */
const SHOWN_QUERY = { stored: "bool" } as const;

/** An object with the fields that clients rely on; with `stored`, as users edit it. */
function presentTemplate(kind: TemplateKind, object: KubeObject, { stored = false } = {}): KubeObject {
  const presented = kind.kind === "CronWorkflow" ? presentCronWorkflow(object) : object;
  return stored ? presented : presentObject(kind.kind, presented);
}

/** @throws {WireError} if the object belongs to another instance. */
async function getOne(call: Pick<Call, "caller" | "params" | "served">, kind: TemplateKind): Promise<KubeObject> {
  const { caller, params: { name = "" }, served } = call;
  const object = await caller.client.get<KubeObject>(kind.resource, namespaceOf(call, kind), name);
  if (!isOfInstance(object, served.instanceId)) throw badRequest(`'${name}' is not managed by the current Argo Server`);
  return object;
}

/** Returns a page: without a pattern that of Kubernetes, with a pattern the newest objects first. */
async function listPage(
  client: KubeClient,
  kind: TemplateKind,
  namespace: string | undefined,
  query: QueryValues<typeof LIST_QUERY>,
  instanceId: string | undefined,
) {
  const selectors = {
    labelSelector: withInstance(query["listOptions.labelSelector"], instanceId),
    fieldSelector: query["listOptions.fieldSelector"] || undefined,
  };
  const limit = query["listOptions.limit"] || undefined;
  const from = query["listOptions.continue"] || undefined;
  if (!query.namePattern) {
    const { items, metadata } = await client.list<KubeObject>(kind.resource, namespace, {
      ...selectors,
      limit,
      continue: from,
    });
    return presentList(items.map((item) => presentTemplate(kind, item)), { ...metadata });
  }
  const pattern = query.namePattern;
  const { items, metadata } = await client.list<KubeObject>(kind.resource, namespace, selectors);
  const matching = items.filter((item) => item.metadata.name?.includes(pattern)).sort((a, b) =>
    versionOf(b) - versionOf(a)
  );
  const rest = from === undefined ? matching : matching.filter((kubeObject) => versionOf(kubeObject) < Number(from));
  const page = limit === undefined ? rest : rest.slice(0, limit);
  const last = page.at(-1);
  const next = last && page.length < rest.length ? { continue: String(versionOf(last)) } : {};
  return presentList(page.map((kubeObject) => presentTemplate(kind, kubeObject)), {
    resourceVersion: metadata.resourceVersion,
    ...next,
  });
}

function versionOf({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion ?? 0);
}

function rightsByName(call: Pick<Call, "params" | "body">, kind: TemplateKind, ...verbs: readonly string[]) {
  return verbs.map((verb) => right(verb, kind.resource, namespaceOf(call, kind), nameOf(call, kind)));
}

/** The name of the path. If it is empty, as in updates by Argo's clients, the name of the object. */
function nameOf({ params: { name = "" }, body }: Pick<Call, "params" | "body">, kind: TemplateKind): string {
  return name || (textField(objectField(objectField(body, kind.field), "metadata"), "name") ?? "");
}

function routesOf(kind: TemplateKind): Route[] {
  const { path, service, resource } = kind;
  const pathOfName = `${path}/{name}`;
  const update = updateRoute(kind);
  const remove = deleteRoute(kind);
  const suspensions: Readonly<Record<string, Route>> = kind.kind === "CronWorkflow"
    ? { suspend: suspensionRoute("Suspend", kind), resume: suspensionRoute("Resume", kind) }
    : {};
  return [
    route({
      id: `${service}_List${kind.kind}s`,
      method: "GET",
      path,
      query: LIST_QUERY,
      rights: (call) => [right("list", resource, namespaceOf(call, kind))],
      async answer(call) {
        const { caller, query, mask, served } = call;
        const namespace = namespaceOf(call, kind) || undefined;
        return { json: mask.apply(await listPage(caller.client, kind, namespace, query, served.instanceId)) };
      },
    }),
    route({
      id: `${service}_Create${kind.kind}`,
      method: "POST",
      path,
      hasBody: true,
      query: SHOWN_QUERY,
      rights: (call) => [right("create", resource, namespaceOf(call, kind))],
      async answer(call) {
        const { body, caller, params: { namespace = "" }, query } = call;
        const sent = await readObject(call, kind);
        const object = {
          ...sent,
          metadata: { ...sent.metadata, labels: withCreator(sent.metadata.labels, caller.claims) },
        };
        await checkObject(call, namespace, object, { allowUnknownFields: true });
        const warnings = await fieldWarnings(call, kind.kind, object);
        const dryRun = textsField(objectField(body, "createOptions"), "dryRun").includes("All");
        const created = await caller.client.create(resource, namespaceOf(call, kind), object, { dryRun });
        return withWarnings({ json: presentTemplate(kind, created, query) }, warnings);
      },
    }),
    route({
      id: `${service}_Lint${kind.kind}`,
      method: "POST",
      path: `${path}/lint`,
      hasBody: true,
      query: SHOWN_QUERY,
      rights: (call) => [right("create", resource, namespaceOf(call, kind))],
      async answer(call) {
        const object = await readObject(call, kind);
        await lintObject(call, call.params.namespace ?? "", object);
        return { json: presentTemplate(kind, object, call.query) };
      },
    }),
    route({
      id: `${service}_Get${kind.kind}`,
      method: "GET",
      path: pathOfName,
      query: { ...GET_OPTIONS, ...SHOWN_QUERY },
      rights: (call) => rightsByName(call, kind, "get"),
      answer: async (call) => ({ json: presentTemplate(kind, await getOne(call, kind), call.query) }),
    }),
    update,
    remove,
    ...Object.values(suspensions),
    canRoute({
      id: `${service}_Can${kind.kind}`,
      path: `${pathOfName}/can`,
      rights: (call) => rightsByName(call, kind, "get"),
      actions: {
        update: update.rights,
        delete: remove.rights,
        ...Object.fromEntries(Object.entries(suspensions).map(([word, { rights }]) => [word, rights])),
        // A cluster template can be submitted in any namespace, so its rights are not known in advance.
        ...(resource.namespaced
          ? { submit: ({ params: { namespace, name } }) => rightsToSubmit(resource, namespace, name) }
          : {}),
      },
    }),
  ];
}

function updateRoute(kind: TemplateKind): Route {
  return route({
    id: `${kind.service}_Update${kind.kind}`,
    method: "PUT",
    path: `${kind.path}/{name}`,
    hasBody: true,
    query: SHOWN_QUERY,
    rights: (call) => rightsByName(call, kind, "get", "update"),
    async answer(call) {
      const { caller, params: { namespace = "" }, query } = call;
      const sent = await readObject(call, kind);
      const name = nameOf(call, kind);
      if (sent.metadata.name && sent.metadata.name !== name) {
        throw badRequest(
          `${kind.field}.metadata.name: the path has ${JSON.stringify(name)}, got ${
            JSON.stringify(sent.metadata.name)
          }`,
        );
      }
      await getOne({ ...call, params: { ...call.params, name } }, kind);
      const object = withActor({ ...sent, metadata: { ...sent.metadata, name } }, "Update", caller.claims);
      await checkObject(call, namespace, object, { allowUnknownFields: true });
      const warnings = await fieldWarnings(call, kind.kind, object);
      const updated = await caller.client.replace<KubeObject>(kind.resource, namespaceOf(call, kind), object);
      return withWarnings({ json: presentTemplate(kind, updated, query) }, warnings);
    },
  });
}

function deleteRoute(kind: TemplateKind): Route {
  return route({
    id: `${kind.service}_Delete${kind.kind}`,
    method: "DELETE",
    path: `${kind.path}/{name}`,
    query: DELETE_OPTIONS,
    rights: (call) => rightsByName(call, kind, "get", "delete"),
    async answer(call) {
      await getOne(call, kind);
      const options = deleteOptions(call.query, undefined);
      await call.caller.client.delete(kind.resource, namespaceOf(call, kind), call.params.name ?? "", options);
      return { json: {} };
    },
  });
}

function suspensionRoute(verb: "Suspend" | "Resume", cron: TemplateKind): Route {
  return route({
    id: `${cron.service}_${verb}CronWorkflow`,
    method: "PUT",
    path: `${cron.path}/{name}/${verb.toLowerCase()}`,
    hasBody: true,
    query: SHOWN_QUERY,
    rights: (call) => rightsByName(call, cron, "get", "patch"),
    async answer(call) {
      await getOne(call, cron);
      const { caller, params: { namespace, name = "" }, query } = call;
      const labels = actorLabels(verb, caller.claims);
      const patch = { metadata: { labels }, spec: { suspend: verb === "Suspend" } };
      const patched = await caller.client.patch<KubeObject>(CRON_WORKFLOWS, namespace, name, patch);
      return { json: presentTemplate(cron, patched, query) };
    },
  });
}

const bindings = route({
  id: "EventService_ListWorkflowEventBindings",
  method: "GET",
  path: "/api/v1/workflow-event-bindings/{namespace}",
  query: LIST_OPTIONS,
  rights: ({ params: { namespace } }) => [right("list", WORKFLOW_EVENT_BINDINGS, namespace)],
  async answer({ caller, query, params: { namespace }, served, mask }) {
    const { items, metadata } = await caller.client.list<KubeObject>(WORKFLOW_EVENT_BINDINGS, namespace || undefined, {
      labelSelector: withInstance(query["listOptions.labelSelector"], served.instanceId),
      fieldSelector: query["listOptions.fieldSelector"] || undefined,
      limit: query["listOptions.limit"] || undefined,
      continue: query["listOptions.continue"] || undefined,
    });
    const shown = items.map((item) => presentObject("WorkflowEventBinding", item));
    return { json: maskedList(mask, presentList(shown, { ...metadata })) };
  },
});

/** All routes of templates and cron workflows. */
export const TEMPLATE_ROUTES: readonly Route[] = [
  ...TEMPLATE_KINDS.flatMap(routesOf),
  bindings,
];
