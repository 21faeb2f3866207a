/** The server's routes as data: method, path, permissions, request and response. */
import { type MessageType, type Method, METHODS } from "@tiphys/proto";
import type { Call, Route } from "../server/routes/route.ts";
import { ROUTES } from "../server/table.ts";
import { type ApiRoute, grpcMethod, type StoredRoutes } from "../ui/model/api_routes.ts";

/** Returns all routes in the order of the table. */
export function apiRoutes(): ApiRoute[] {
  const methods = new Map([...METHODS].map((method) => [method.id, method]));
  return ROUTES.map((route) => apiRoute(route, methods.get(route.id)));
}

/** Returns all routes with the options that several routes share, such as `listOptions`, stored once. */
export function storedRoutes(): StoredRoutes {
  const routes = apiRoutes();
  const groups = Map.groupBy(
    routes.flatMap(({ query = [] }) => [...optionsIn(query)].map(([name, fields]) => ({ name, fields }))),
    ({ name, fields }) => `${name} ${fields.join()}`,
  );
  const shared = new Map(
    [...groups.values()].filter((uses) => uses.length > 1 && uses[0]!.fields.length > 1)
      .map(([use]) => [use!.name, use!.fields]),
  );
  const without = (query: readonly string[]) => {
    const own = optionsIn(query);
    const isShared = (name: string) => own.get(name)?.join() === shared.get(name)?.join();
    return [
      ...new Set(query.map((field) => {
        const [name = ""] = field.split(/[.:]/, 1);
        return shared.has(name) && isShared(name) ? `${name}.*` : field;
      })),
    ];
  };
  return {
    options: Object.fromEntries(shared),
    routes: routes.map((route) => route.query ? { ...route, query: without(route.query) } : route),
  };
}

/** Returns the fields of each option with fields, without its name. */
function optionsIn(query: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const nested = query.filter((field) => /^\w+\./.test(field));
  const groups = Map.groupBy(nested, (field) => field.slice(0, field.indexOf(".")));
  return new Map([...groups].map(([name, fields]) => [name, fields.map((field) => field.slice(name.length + 1))]));
}

function apiRoute(route: Route, method: Method | undefined): ApiRoute {
  const body = bodyOf(route, method);
  const query = Object.entries(route.query).map(([name, type]) => `${name}: ${type}`);
  return {
    id: route.id,
    method: route.method,
    path: route.path,
    rights: rightsOf(route),
    ...(query.length > 0 ? { query } : {}),
    ...(body ? { body } : {}),
    answer: method?.output.name ?? (route.path.startsWith("/api/") ? "JSON" : "content"),
    ...(route.isStream ? { isStream: true } : {}),
    ...(method ? { grpc: packageOf(method) } : {}),
  };
}

/** @throws when the path of the method does not match its package and ID. */
function packageOf({ id, path }: Method): string {
  const grpc = path.slice(1).split(".", 1)[0]!;
  const made = grpcMethod({ id, grpc });
  if (`/${made}` !== path) {
    throw new Error(`The path of the gRPC method ${path} does not match ${made}, as its ID requires`);
  }
  return grpc;
}

function bodyOf(route: Route, method: Method | undefined): ApiRoute["body"] {
  if (route.takesContent) return { kind: "content", fields: [] };
  if (route.maxBody === 0) return undefined;
  if (route.takesAnyJson) return { kind: "any JSON", fields: [] };
  const inPath = new Set([...route.path.matchAll(/\{(\w+)/g)].map(([, name]) => name));
  const isGiven = (name: string) => inPath.has(name) || name in route.query;
  const fields = method?.input.fields.filter(({ name }) => !isGiven(name)) ?? [];
  return { kind: method?.input.name ?? "JSON", fields: fields.map((field) => `${field.name}: ${kindOf(field)}`) };
}

function kindOf({ type, shape }: MessageType["fields"][number]): string {
  const text = type.kind === "message"
    ? type.message.name
    : type.kind === "scalar"
    ? type.scalar
    : type.names.join(" | ");
  return shape === "list" ? `${text}[]` : shape === "map" ? `{name: ${text}}` : text;
}

/** The objects of a typical request: the requested objects have a name, and the kind of the route. */
const NAMED = { metadata: { name: "name" }, spec: { schedules: [], workflowSpec: {} } };

/** A body with all fields that determine permissions. */
const BODY = {
  namespace: "namespace",
  name: "name",
  resourceKind: "WorkflowTemplate",
  resourceName: "name",
  type: "CONFIGMAP",
  cmName: "name",
  key: "key",
  limit: 1,
  workflow: NAMED,
  template: NAMED,
  cronWorkflow: NAMED,
  eventSource: NAMED,
  sensor: NAMED,
};

/** Returns the permissions for a typical request; only its optional flags affect them. */
function rightsOf(route: Route): string[] {
  const params = Object.fromEntries([...route.path.matchAll(/\{(\w+)/g)].map(([, name = ""]) => [name, name]));
  const texts = Object.entries(route.query).filter(([name, type]) => type === "string" && !name.includes("."));
  const query = Object.fromEntries(texts.map(([name]) => [name, name]));
  const rights = route.rights({ params, query, body: BODY } as unknown as Call);
  const words = rights.map(({ verb, resource, subresource }) =>
    `${verb} ${subresource === undefined ? resource : `${resource}/${subresource}`}`
  );
  return [...new Set(words)];
}
