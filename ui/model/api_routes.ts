/** The routes of the server's API as the page shows them: found by words, and in groups by their service. Pure. */

/** One route. */
export interface ApiRoute {
  /** The operation: `WorkflowService_ListWorkflows`. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Verb and resource of each right that is asked for before anything is looked up: `get workflows`. */
  readonly rights: readonly string[];
  /** Fields of the query with their types: `uid: string`; absent where there are none. */
  readonly query?: readonly string[];
  /** The kind of the body, and its fields with their kinds; absent where there is none. */
  readonly body?: { readonly kind: string; readonly fields: readonly string[] };
  /** The kind of the answer, or of each message of a stream. */
  readonly answer: string;
  readonly isStream?: boolean;
  /** The package of gRPC with the method that does the same; absent where there is none. */
  readonly grpc?: string;
}

/** The method of gRPC that does the same as a route: `workflow.WorkflowService/ListWorkflows`. */
export function grpcMethod({ id, grpc }: Pick<ApiRoute, "id" | "grpc">): string | undefined {
  return grpc && `${grpc}.${id.replace("_", "/")}`;
}

/** The routes of one service. */
export interface ApiService {
  readonly name: string;
  readonly routes: readonly ApiRoute[];
}

/** The routes in whose method, path, operation, rights or kinds each of the words stands, whatever the case of their letters. */
export function routesWith(routes: readonly ApiRoute[], words: string): ApiRoute[] {
  const wanted = words.toLowerCase().split(/\s+/).filter((one) => one !== "");
  return routes.filter((route) => {
    const { method, path, id, rights, answer, body } = route;
    const text = [method, path, id, ...rights, answer, body?.kind, grpcMethod(route)].join(" ").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** The services of routes, in the order in which they come. */
export function servicesOf(routes: readonly ApiRoute[]): ApiService[] {
  const services = Map.groupBy(routes, ({ id }) => id.split("_")[0]!);
  return [...services].map(([name, all]) => ({ name, routes: all }));
}

/** A line for a shell that asks for a route; names in braces are for who runs it to fill in. */
export function curlLine({ method, path, body, isStream }: ApiRoute): string {
  const isForm = body?.kind === "content";
  // A form is a POST by itself; the lines of a stream are shown as they come.
  const words = ["curl", ...(method === "GET" || isForm ? [] : ["-X", method]), ...(isStream ? ["-N"] : [])];
  words.push('-H "Authorization: $ARGO_TOKEN"');
  if (body) words.push(isForm ? "-F file=@FILE" : "-d @BODY.json");
  return [...words, `"https://$ARGO_SERVER${path}"`].join(" ");
}
