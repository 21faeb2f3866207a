/**
 * The first view of a list: the times of the first paint, and of the first input in its filter once all rows are shown.
 */
import { NAMESPACES } from "./played/run_lists.ts";
import { awaitTrue, goTo, type OpenPage, PATIENCE_MILLIS } from "./scene.ts";

/** The times of a first view, in milliseconds since the navigation. */
export interface FirstLook {
  readonly painted: number;
  readonly typed: number;
}

/** Opens the list of 500 runs, and types a letter into its filter as soon as the filter exists. */
export async function measureFirstLook(open: OpenPage, patience = PATIENCE_MILLIS): Promise<FirstLook> {
  const { page, bench } = open;
  const { filter, signs } = bench.tested;
  page.setDefaultNavigationTimeout(patience);
  const isAnswered = await goTo(open, bench.tested.listOf(NAMESPACES.quiet)).then(() => true, () => false);
  const both = [filter, signs.row].map((selector) => `document.querySelector(${JSON.stringify(selector)})`).join(
    " && ",
  );
  if (!isAnswered || !await awaitTrue(open, both, patience)) return { painted: Infinity, typed: Infinity };
  await page.evaluate(`document.querySelector(${JSON.stringify(filter)}).focus()`);
  await page.keyboard.press("e");
  // The browser reports paints with a delay.
  await awaitTrue(
    open,
    `notes.typed !== undefined && performance.getEntriesByName("first-contentful-paint").length > 0`,
  );
  return await page.evaluate<FirstLook>(`({
    painted: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    typed: notes.typed,
  })`);
}

/** The kilobytes of the page's files that were transferred, without API responses and the document itself. */
export async function fileKilobytes({ page }: OpenPage): Promise<number> {
  return await page.evaluate<number>(`performance.getEntriesByType("resource")
    .filter(({ name }) => !name.includes("/api/"))
    .reduce((sum, { transferSize }) => sum + transferSize, 0) / 1024`);
}
