/** A route that lists the rights which the caller lacks for the actions on an object. */
import { type Route, route } from "../routes/route.ts";

interface CanRouteOptions extends Pick<Route, "id" | "path" | "rights"> {
  /** For each action, the rights that its route requires. */
  readonly actions: Readonly<Record<string, Route["rights"]>>;
}

/**
 * Returns a route that Argo's server does not have. Its response maps each action that the caller may not perform to
 * the missing rights. The rights are those that the routes of the actions require for the object as a whole, with an
 * empty query and body.
 */
export function canRoute({ id, path, rights, actions }: CanRouteOptions): Route {
  return route({
    id,
    method: "GET",
    path,
    rights,
    async answer(call) {
      const { gate, caller } = call;
      const lacks = await Promise.all(
        Object.entries(actions).map(async ([word, rightsOf]) => {
          const needed = rightsOf({ ...call, query: {}, body: {} });
          const has = await Promise.all(needed.map((right) => gate.isPermitted(caller, right)));
          const missing = needed.filter((_, index) => !has[index]);
          return [word, missing.map(({ verb, group, resource }) => ({ verb, group, resource }))] as const;
        }),
      );
      return { json: { lacks: Object.fromEntries(lacks.filter(([, missing]) => missing.length > 0)) } };
    },
  });
}
