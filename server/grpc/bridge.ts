/**
 * The mapping from gRPC to the table of routes: a method is the route with the same operation ID, and the fields of its
 * message are the path parameters, query and body of REST.
 */
import type { Method } from "@tiphys/proto";
import type { Route, RouteInput } from "../routes/route.ts";
import type { JsonObject } from "../wire/body.ts";
import { badRequest } from "../wire/errors.ts";
import type { FieldType } from "../wire/query.ts";

/** A gRPC method and its route. */
export interface BridgedMethod {
  readonly method: Method;
  readonly route: Route;
}

/** Returns the methods that have a route, by path. */
export function bridgeMethods(
  methods: readonly Method[],
  routes: readonly Route[],
): ReadonlyMap<string, BridgedMethod> {
  const byId = new Map(routes.map((route) => [route.id, route]));
  const bridged = new Map<string, BridgedMethod>();
  for (const method of methods) {
    const route = byId.get(method.id);
    if (route) bridged.set(method.path, { method, route });
  }
  return bridged;
}

/** The field that contains arbitrary JSON, which is the whole body in REST. */
const ANY_JSON_FIELD = "payload";

/** The maximum number of characters of all query values. In REST the size of the request head bounds them. */
const MAX_QUERY_CHARACTERS = 16 << 10;

/**
 * Extracts the parameters of a route from a message.
 * @throws {WireError} for a name that is not a valid path segment, and for query values that are too long.
 */
export function inputOf(route: Route, message: JsonObject): RouteInput {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const params = Object.fromEntries(names.map((name) => [name, paramOf(name, message)]));
  const query: Record<string, string | number | boolean | readonly string[]> = {};
  for (const [name, type] of Object.entries(route.query)) {
    const value = queryValue(type, valueAt(message, name.split(".")));
    if (value !== undefined) query[name] = value;
  }
  const characters = Object.values(query).flat().reduce<number>((sum, value) => sum + String(value).length, 0);
  if (characters > MAX_QUERY_CHARACTERS) {
    throw badRequest(
      `expected at most ${MAX_QUERY_CHARACTERS} characters of selectors, names and fields, got ${characters}`,
    );
  }
  const text = route.takesAnyJson ? JSON.stringify(message[ANY_JSON_FIELD] ?? null) : "";
  return { params, query, body: route.maxBody > 0 && !route.takesAnyJson ? message : {}, text };
}

/** Returns a path parameter. */
function paramOf(name: string, message: JsonObject): string {
  const value = message[name] ?? "";
  if (typeof value !== "string" || value.includes("/") || value.includes("\0")) {
    throw badRequest(`${name}: expected a name, got ${JSON.stringify(value).slice(0, 100)}`);
  }
  return value;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
}

function queryValue(type: FieldType, value: unknown): string | number | boolean | readonly string[] | undefined {
  switch (type) {
    case "string":
      return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
    case "int":
      return typeof value === "number" ? value : undefined;
    case "bool":
      return typeof value === "boolean" ? value : undefined;
    case "strings":
      return Array.isArray(value) ? value.map(String) : undefined;
  }
}
