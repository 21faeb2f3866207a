/** The route that tells a caller which rights they lack for what can be done to an object. */
import { type Route, route } from "../routes/route.ts";

interface Can extends Pick<Route, "id" | "path" | "rights"> {
  /** What can be done, by its word: the rights that its route asks for. */
  readonly actions: Readonly<Record<string, Route["rights"]>>;
}

/**
 * A route that Argo's server lacks: of actions, by their words, those that the caller may not do, each with the rights that are
 * missing. It asks what the routes of the actions ask when they are called, for the whole object.
 */
export function canRoute({ id, path, rights, actions }: Can): Route {
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
          const has = await Promise.all(needed.map((one) => gate.may(caller, one)));
          const missing = needed.filter((_, at) => !has[at]);
          return [word, missing.map(({ verb, group, resource }) => ({ verb, group, resource }))] as const;
        }),
      );
      return { json: { lacks: Object.fromEntries(lacks.filter(([, missing]) => missing.length > 0)) } };
    },
  });
}
