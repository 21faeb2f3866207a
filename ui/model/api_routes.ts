/** The API routes as the page lists them: searched by words, and grouped by service. Pure. */

/** One route. */
export interface ApiRoute {
  /** The operation: `WorkflowService_ListWorkflows`. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Verb and resource of each right that is checked before the request is handled, for example `get workflows`. */
  readonly rights: readonly string[];
  /** Query fields with their types, for example `uid: string`; absent without a query. */
  readonly query?: readonly string[];
  /** The kind of the request body, and its fields with their kinds; absent without a body. */
  readonly body?: { readonly kind: string; readonly fields: readonly string[] };
  /** The kind of the response, or of each message of a stream. */
  readonly answer: string;
  readonly isStream?: boolean;
  /** The package of the equivalent gRPC method; absent if there is no such method. */
  readonly grpc?: string;
}

/** The routes as they are stored. The query field `listOptions.*` represents all fields of `options.listOptions`. */
export interface StoredRoutes {
  /** Fields with their types, without their prefix: `{ listOptions: ["limit: int"] }`. */
  readonly options: Readonly<Record<string, readonly string[]>>;
  readonly routes: readonly ApiRoute[];
}

/** Returns the routes with all their query fields. */
export function readRoutes({ options, routes }: StoredRoutes): ApiRoute[] {
  return routes.map((route) => {
    const query = route.query?.flatMap((field) => {
      const name = field.slice(0, -2);
      return field.endsWith(".*") ? options[name]!.map((option) => `${name}.${option}`) : field;
    });
    return query ? { ...route, query } : route;
  });
}

/** Returns the equivalent gRPC method of a route, for example `workflow.WorkflowService/ListWorkflows`. */
export function grpcMethod({ id, grpc }: Pick<ApiRoute, "id" | "grpc">): string | undefined {
  return grpc && `${grpc}.${id.replace("_", "/")}`;
}

/** The routes of one service. */
export interface ApiService {
  readonly name: string;
  readonly routes: readonly ApiRoute[];
}

/** Returns the routes that contain every word in their method, path, operation, rights or kinds, ignoring case. */
export function routesWith(routes: readonly ApiRoute[], words: string): ApiRoute[] {
  const wanted = words.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return routes.filter((route) => {
    const { method, path, id, rights, answer, body } = route;
    const text = [method, path, id, ...rights, answer, body?.kind, grpcMethod(route)].join(" ").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** Groups routes by service, in order of first appearance. */
export function servicesOf(routes: readonly ApiRoute[]): ApiService[] {
  const services = Map.groupBy(routes, ({ id }) => id.split("_")[0]!);
  return [...services].map(([name, all]) => ({ name, routes: all }));
}

/** Returns a curl command for a route. Names in braces are placeholders. */
export function curlLine({ method, path, body, isStream }: ApiRoute): string {
  const isForm = body?.kind === "content";
  // curl sends a form as a POST; -N prints the lines of a stream without buffering.
  const words = ["curl", ...(method === "GET" || isForm ? [] : ["-X", method]), ...(isStream ? ["-N"] : [])];
  words.push('-H "Authorization: $ARGO_TOKEN"');
  if (body) words.push(isForm ? "-F file=@FILE" : "-d @BODY.json");
  return [...words, `"https://$ARGO_SERVER${path}"`].join(" ");
}
