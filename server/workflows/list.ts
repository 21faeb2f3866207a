/** Lists of workflows: those of the cluster, from the server's copy, and the archived ones, in one order. */
import type { Workflow } from "@tiphys/model/api";
import type { WorkflowArchive } from "@tiphys/storage/archive";
import type { Served } from "../served.ts";
import { badRequest, CODE, WireError } from "../wire/errors.ts";
import { mergedPage } from "./merged_page.ts";
import { type Page, pageOf, readContinue } from "./page.ts";
import type { ReadQuery } from "./query.ts";
import { sortedPage } from "./sorted_page.ts";

/** A page, and what the client is told beside it. */
export interface ListedPage {
  readonly page: Page<Workflow>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One page. While the archive cannot be reached it is made of what is in the cluster, and says so in a header.
 * @throws {WireError}
 */
export async function listWorkflows(served: Served, asked: ReadQuery): Promise<ListedPage> {
  const { filters, limit, isMeant, order, showRemaining: counts } = asked;
  const start = readContinue(asked.continue);
  const { workflows, kept, keptUids: covered } = served.workflows.list(asked.namespace);
  const { archive: archives } = served;
  if (order && !("skip" in start)) throw badRequest("listOptions.continue must be int where sort is given");
  const page = (archive: WorkflowArchive | undefined): Promise<Page<Workflow>> | Page<Workflow> => {
    // Archived workflows are shown from the archive, also while the cluster still has them.
    const live = (archive ? kept : workflows).filter(isMeant);
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
