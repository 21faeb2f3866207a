/** Functions to check the list of runs. */
import type { Locator, Page } from "playwright-core";

/** The row of a run. */
export function rowOf(page: Page, name: string): Locator {
  return page.locator(`tr[data-run="${name}"]`);
}

/** Waits until the list has no such row. */
export async function awaitGone(page: Page, name: string): Promise<void> {
  await rowOf(page, name).waitFor({ state: "detached" });
}

/** Waits until the list has a total of `count` runs. */
export async function awaitTotal(page: Page, count: number): Promise<void> {
  await page.locator(`[data-total="${count}"]`).waitFor();
}
