/** Lists of workflows, merged from the server's copy of the cluster and the archive, in one order. */
import type { Workflow } from "@tiphys/model/api";
import type { WorkflowArchive } from "@tiphys/storage/archive";
import type { ServerContext } from "../served.ts";
import { badRequest, CODE, WireError } from "../wire/errors.ts";
import { mergedPage } from "./merged_page.ts";
import { type Page, pageOf, readContinue } from "./page.ts";
import type { ListQuery } from "./query.ts";
import { sortedPage } from "./sorted_page.ts";

/** A page, and headers of its response. */
export interface ListedPage {
  readonly page: Page<Workflow>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Returns one page. While the archive is unavailable, the page contains only the workflows of the cluster, and the
 * response has a `warning` header.
 * @throws {WireError} if the query is invalid.
 */
export async function listWorkflows(served: ServerContext, query: ListQuery): Promise<ListedPage> {
  const { filters, limit, matches, order, showRemaining: counts } = query;
  const start = readContinue(query.continue);
  const { workflows, kept, keptUids: covered } = served.workflows.list(query.namespace);
  const { archive: archives } = served;
  if (order && !("skip" in start)) throw badRequest("listOptions.continue must be int where sort is given");
  const page = (archive: WorkflowArchive | undefined): Promise<Page<Workflow>> | Page<Workflow> => {
    // Archived workflows are shown from the archive even while they still exist in the cluster.
    const live = (archive ? kept : workflows).filter(matches);
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
  if (!archives) return { page: await page(undefined) };
  try {
    return { page: await archives.ask((archive) => Promise.resolve(page(archive))) };
  } catch (error) {
    if (!(error instanceof WireError) || error.code !== CODE.unavailable) throw error;
    return { page: await page(undefined), headers: { warning: `199 - ${JSON.stringify(error.message)}` } };
  }
}
