/**
 * The Swagger 2.0 description of the API, generated from the table of routes and from the protobuf messages of Argo's
 * clients.
 */
import { type MessageType, type Method, METHODS } from "@tiphys/proto";
import type { Route } from "../routes/route.ts";

type Json = { readonly [key: string]: unknown };
type Field = MessageType["fields"][number];

/** The package names in Argo's API description. */
const PACKAGES: Readonly<Record<string, string>> = {
  argo: "io.argoproj.workflow.v1alpha1",
  workflow: "io.argoproj.workflow.v1alpha1",
  workflowtemplate: "io.argoproj.workflow.v1alpha1",
  clusterworkflowtemplate: "io.argoproj.workflow.v1alpha1",
  cronworkflow: "io.argoproj.workflow.v1alpha1",
  workflowarchive: "io.argoproj.workflow.v1alpha1",
  info: "io.argoproj.workflow.v1alpha1",
  event: "io.argoproj.workflow.v1alpha1",
  events: "github.com.argoproj.argo_events.pkg.apis.events.v1alpha1",
  core: "io.k8s.api.core.v1",
  meta: "io.k8s.apimachinery.pkg.apis.meta.v1",
  intstr: "io.k8s.apimachinery.pkg.util.intstr",
  resource: "io.k8s.apimachinery.pkg.api.resource",
  policy: "io.k8s.api.policy.v1",
};

/** Messages that are not objects in JSON. */
const SCALAR_MESSAGES: Readonly<Record<string, Json>> = {
  "meta.Time": { type: "string", format: "date-time" },
  "meta.MicroTime": { type: "string", format: "date-time" },
  "intstr.IntOrString": { type: "string", format: "int-or-string" },
  "events.Int64OrString": { type: "string", format: "int-or-string" },
};

const SCALARS: Readonly<Record<string, Json>> = {
  string: { type: "string" },
  anyString: { type: "string" },
  bool: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  uint32: { type: "integer", format: "int64" },
  int64: { type: "integer", format: "int64" },
  uint64: { type: "integer", format: "uint64" },
  fixed64: { type: "integer", format: "uint64" },
  double: { type: "number", format: "double" },
  bytes: { type: "string", format: "byte" },
  hex: { type: "string" },
  number: { type: "string" },
  json: {},
};

const ERROR = "grpc.gateway.runtime.Error";

/** Returns the description of the given routes. */
export function swaggerOf(routes: readonly Route[], version: string): Json {
  const methods = new Map([...METHODS].map((method) => [method.id, method]));
  const definitions = new Definitions();
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    // Swagger cannot express a parameter for the rest of a path, so it is described as one segment.
    const path = route.path.replace(/\{(\w+)\.\.\.\}/g, "{$1}");
    (paths[path] ??= {})[route.method.toLowerCase()] = operationOf(route, path, methods.get(route.id), definitions);
  }
  return {
    swagger: "2.0",
    info: { title: "Argo Workflows API", version },
    consumes: ["application/json"],
    produces: ["application/json"],
    schemes: ["http", "https"],
    security: [{ BearerToken: [] }],
    securityDefinitions: {
      BearerToken: { type: "apiKey", name: "Authorization", in: "header", description: "Bearer Token authentication" },
    },
    paths,
    definitions: definitions.all(),
  };
}

function operationOf(route: Route, path: string, method: Method | undefined, definitions: Definitions): Json {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const body = bodyOf(route, method, definitions);
  return {
    tags: [route.id.split("_")[0]],
    operationId: route.id,
    ...(route.takesContent ? { consumes: ["multipart/form-data"] } : {}),
    ...(!method && !route.path.startsWith("/api/") ? { produces: ["application/octet-stream"] } : {}),
    parameters: [
      ...inPath.map((name) => ({ name, in: "path", required: true, type: "string" })),
      ...Object.entries(route.query).map(([name, type]) => ({
        name,
        in: "query",
        required: false,
        ...queryType(type),
      })),
      ...(route.takesContent ? [{ name: "file", in: "formData", required: true, type: "file" }] : []),
      ...(body ? [{ name: "body", in: "body", required: true, schema: body }] : []),
    ],
    responses: {
      200: {
        description: route.isStream ? "A successful response.(streaming responses)" : "A successful response.",
        ...answerOf(route, method, definitions),
      },
      default: { description: "An unexpected error response.", schema: { $ref: `#/definitions/${ERROR}` } },
    },
  };
}

function queryType(type: string): Json {
  switch (type) {
    case "bool":
      return { type: "boolean" };
    case "int":
      return { type: "string", format: "int64" };
    case "strings":
      return { type: "array", items: { type: "string" }, collectionFormat: "multi" };
    default:
      return { type: "string" };
  }
}

function bodyOf(route: Route, method: Method | undefined, definitions: Definitions): Json | undefined {
  if (route.takesContent || route.maxBody === 0) return undefined;
  if (route.takesAnyJson || !method) return {};
  return definitions.refTo(method.input);
}

function answerOf(route: Route, method: Method | undefined, definitions: Definitions): Json {
  if (!method) return { schema: route.path.startsWith("/api/") ? { type: "object" } : { type: "file" } };
  const answer = definitions.refTo(method.output);
  if (!route.isStream) return { schema: answer };
  const properties = { result: answer, error: { $ref: `#/definitions/${ERROR}` } };
  return { schema: { type: "object", title: `Stream result of ${nameOf(method.output)}`, properties } };
}

function nameOf({ name }: MessageType): string {
  const index = name.indexOf(".");
  return `${PACKAGES[name.slice(0, index)] ?? name.slice(0, index)}.${name.slice(index + 1)}`;
}

/** The messages that are referenced, directly or indirectly. */
class Definitions {
  readonly #made = new Map<string, Json>([[ERROR, {
    type: "object",
    properties: {
      code: { type: "integer", format: "int32" },
      error: { type: "string" },
      message: { type: "string" },
      details: { type: "array", items: { type: "object" } },
    },
  }]]);

  refTo(message: MessageType): Json {
    const name = nameOf(message);
    if (!this.#made.has(name)) {
      // Registered before its fields, because a message may contain itself.
      this.#made.set(name, {});
      this.#made.set(name, this.#definition(message));
    }
    return { $ref: `#/definitions/${name}` };
  }

  all(): Json {
    return Object.fromEntries([...this.#made].sort(([a], [b]) => a < b ? -1 : 1));
  }

  #definition(message: MessageType): Json {
    const other = SCALAR_MESSAGES[message.name];
    if (other) return other;
    if (message.wrappedField) return this.#field(message.wrappedField);
    return { type: "object", properties: Object.fromEntries(this.#properties(message)) };
  }

  #properties({ fields }: MessageType): (readonly [string, Json])[] {
    return fields.flatMap((field) =>
      field.isInline && field.type.kind === "message"
        ? this.#properties(field.type.message)
        : [[field.name, this.#field(field)] as const]
    );
  }

  #field({ type, shape }: Field): Json {
    const schema = type.kind === "message"
      ? this.refTo(type.message)
      : type.kind === "enum"
      ? { type: "string", enum: type.names }
      : SCALARS[type.scalar]!;
    if (shape === "list") return { type: "array", items: schema };
    return shape === "map" ? { type: "object", additionalProperties: schema } : schema;
  }
}
