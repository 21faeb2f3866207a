/** The route that tells a caller which rights they lack for what can be done to a workflow. */
import { toOne } from "./one_workflow.ts";
import { type Route, route } from "../routes/route.ts";

/**
 * A route that Argo's server lacks: of actions, by their words, those that the caller may not do, each with the rights that are
 * missing. It asks what the routes of the actions ask when they are called, for the whole workflow.
 */
export function canRoute(actions: Readonly<Record<string, Route>>): Route {
  return route({
    id: "WorkflowService_CanWorkflow",
    method: "GET",
    path: "/api/v1/workflows/{namespace}/{name}/can",
    rights: toOne("get"),
    async answer(call) {
      const { gate, caller } = call;
      const lacks = await Promise.all(
        Object.entries(actions).map(async ([word, action]) => {
          const needed = action.rights({ ...call, query: {}, body: {} });
          const has = await Promise.all(needed.map((one) => gate.may(caller, one)));
          const missing = needed.filter((_, at) => !has[at]);
          return [word, missing.map(({ verb, group, resource }) => ({ verb, group, resource }))] as const;
        }),
      );
      return { json: { lacks: Object.fromEntries(lacks.filter(([, missing]) => missing.length > 0)) } };
    },
  });
}
