/** Lists of workflows, merged from the server's copy of the cluster and the archive, in one order. */
import type { Workflow } from "@tiphys/model/api";
import type { WorkflowArchive } from "@tiphys/storage/archive";
import { WORKFLOWS } from "@tiphys/kube";
import { type Right, right } from "../gate/rights.ts";
import type { LIST_OPTIONS } from "../routes/list_options.ts";
import type { Call } from "../routes/route.ts";
import type { ServerContext } from "../served.ts";
import type { QueryValues } from "../wire/query.ts";
import { badRequest, CODE, WireError } from "../wire/errors.ts";
import { mergedPage } from "./merged_page.ts";
import { pageOf, readContinue, type WorkflowPage } from "./page.ts";
import type { ListQuery } from "./query.ts";
import { sortedPage } from "./sorted_page.ts";

/** A page, and headers of its response. */
export interface ListedPage {
  readonly page: WorkflowPage<Workflow>;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns one page. While the archive is unavailable, the page contains only the workflows of the cluster, and the
 * response has a `warning` header.
 * @throws {WireError} if the query is invalid.
 */
export async function listWorkflows(served: ServerContext, query: ListQuery): Promise<ListedPage> {
  const { filters, limit, matches, order, showRemaining: counts } = query;
  const start = readContinue(query.continue);
  const { workflows, listed, keptUids: covered } = served.workflows.list(query.namespace);
  if (order && !("skip" in start)) throw badRequest("listOptions.continue must be int where sort is given");
  const page = (archive: WorkflowArchive | undefined): Promise<WorkflowPage<Workflow>> | WorkflowPage<Workflow> => {
    // Archived workflows are shown from the archive even while they still exist in the cluster.
    const live = (archive ? listed : workflows).filter(matches);
    if (order && "skip" in start) {
      return sortedPage(archive, {
        live,
        filters,
        covered,
        order,
        skip: start.skip,
        limit,
        now: served.now().getTime(),
      });
    }
    return archive ? mergedPage(archive, { live, filters, covered, start, limit, counts }) : pageOf(live, start, limit);
  };
  const { result, headers } = await withArchiveIfReachable(served, page);
  return { page: result, headers };
}

/** A result over the cluster and the archive, and headers for the client. */
interface ArchiveQueryResult<T> {
  readonly result: T;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Calls a function with the archive, if the server has one. While the archive cannot be reached, the function is called
 * without it, and a header warns the client.
 * @throws {WireError}
 */
export async function withArchiveIfReachable<T>(
  { archive: archives }: ServerContext,
  find: (archive: WorkflowArchive | undefined) => Promise<T> | T,
): Promise<ArchiveQueryResult<T>> {
  if (!archives) return { result: await find(undefined) };
  try {
    return { result: await archives.query((archive) => Promise.resolve(find(archive))) };
  } catch (error) {
    if (!(error instanceof WireError) || error.code !== CODE.unavailable) throw error;
    return { result: await find(undefined), headers: { warning: `199 - ${JSON.stringify(error.message)}` } };
  }
}

/** The rights that a list needs: in one namespace, if its path or its field selector names one. */
export function rightsToList(
  { params: { namespace = "" }, query }: {
    readonly params: Call["params"];
    readonly query: QueryValues<typeof LIST_OPTIONS>;
  },
): Right[] {
  const selector = query["listOptions.fieldSelector"] ?? "";
  const [, only] = /(?:^|,)\s*metadata\.namespace==?([^,]*)/.exec(selector) ?? [];
  return [right("list", WORKFLOWS, namespace || only?.trim())];
}
