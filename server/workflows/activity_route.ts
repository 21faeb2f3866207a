/** The route that counts workflows by phase over time, for the activity of the page's list. */
import { LIST_OPTIONS } from "../routes/list_options.ts";
import { type Route, route } from "../routes/route.ts";
import { activityOf, readSpans } from "./activity.ts";
import { rightsToList, withArchiveIfReachable } from "./list.ts";
import { LIST_QUERY, readListQuery } from "./query.ts";

/** The most namespaces of a response. */
const MAX_NAMESPACES = 500;

/**
 * A route that Argo's server lacks. Its filters are those of a list. For all namespaces, the response also has the
 * names of the namespaces that have workflows.
 */
export const activityRoute: Route = route({
  id: "WorkflowService_WorkflowActivity",
  method: "GET",
  path: "/api/tiphys/v1/workflows/{namespace}/activity",
  query: { ...LIST_OPTIONS, ...LIST_QUERY, since: "string", step: "int", count: "int" },
  rights: rightsToList,
  async answer({ params: { namespace = "" }, query, served }) {
    const spans = readSpans(query);
    const { filters, matches, namespace: within } = readListQuery(namespace, query, served.instanceId);
    const { workflows, listed, keptUids: covered } = served.workflows.list(within);
    const { result, headers } = await withArchiveIfReachable(
      served,
      (archive) =>
        activityOf(archive, { live: (archive ? listed : workflows).filter(matches), filters, covered, spans }),
    );
    const names = new Set(within === "" ? workflows.map(({ metadata }) => metadata.namespace ?? "") : []);
    const namespaces = [...names].sort().slice(0, MAX_NAMESPACES);
    return { json: { spans: result, ...(within === "" ? { namespaces } : {}) }, headers };
  },
});
