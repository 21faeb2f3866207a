/** Lists of workflows: those of the cluster, from the server's copy, and the archived ones, in one order. */
import type { Workflow } from "../../lib/api/mod.ts";
import type { Served } from "../served.ts";
import { CODE, WireError } from "../wire/errors.ts";
import { mergedPage } from "./merged_page.ts";
import { type Page, pageOf, readContinue } from "./page.ts";
import type { ReadQuery } from "./query.ts";

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
  const { filters, limit, isMeant, showRemaining: counts } = asked;
  const start = readContinue(asked.continue);
  const { workflows, kept, keptUids: covered } = served.workflows.list(asked.namespace);
  const alone = () => pageOf(workflows.filter(isMeant), start, limit);
  if (!served.archive) return { page: alone() };
  // Archived workflows are shown from the archive, also while the cluster still has them.
  try {
    const merge = { live: kept.filter(isMeant), filters, covered, start, limit, counts };
    return { page: await served.archive.ask((archive) => mergedPage(archive, merge)) };
  } catch (error) {
    if (!(error instanceof WireError) || error.code !== CODE.unavailable) throw error;
    return { page: alone(), headers: { warning: `199 - ${JSON.stringify(error.message)}` } };
  }
}
