/** Journeys on the page of one run, with the played server. */
import type { Page } from "playwright-core";
import { awaitFact } from "../../await_fact.ts";
import { type JourneyPage, type Look, openPage, WIDE } from "../browser.ts";
import { journeyPage } from "../feed/feed.ts";
import { type Journey, play } from "../journey.ts";
import { type PlayedLine, type PlayedServer, playServer } from "./played_server.ts";

/** The texts of all elements that match a selector. */
export const texts = (page: Page, selector: string) => page.locator(selector).allTextContents();
/** The query of the page's URL. */
export const address = (page: Page) => new URL(page.url()).searchParams;

/** Waits until the page has no pending work. */
export async function awaitSettled(page: Page): Promise<void> {
  await awaitTrue(page, "document.documentElement.dataset.settled === 'true'");
}

/**
 * Waits until an expression is true in the page. Evaluates it with the debugger, which the page's policy does not
 * affect.
 */
export async function awaitTrue(page: Page, expression: string): Promise<void> {
  await awaitFact(expression, async () => await page.evaluate(expression) === true, { seconds: 30 });
}

/** Log lines of three pods, a hundred lines per second. */
export function lines(count: number): PlayedLine[] {
  return Array.from({ length: count }, (_, i) => {
    const time = new Date(Date.UTC(2026, 0, 1) + i * 10).toISOString().replace("Z", "000001Z");
    return { podName: `pod-${i % 3}`, content: `${time} line ${i}` };
  });
}

/**
 * A journey that starts at a URL of one run. The clock of the page runs, because the times of played runs are relative
 * to now.
 */
export function played(
  name: string,
  place: string,
  prepare: (server: PlayedServer) => void | Promise<void>,
  go: (page: Page, server: PlayedServer, opened: JourneyPage) => Promise<void>,
  look: Partial<Look> = {},
): Journey {
  return {
    name,
    async run(browser, picture) {
      await using server = playServer(journeyPage);
      await prepare(server);
      const opened = await openPage(browser, { ...WIDE, ...look }, { isClockFixed: false });
      await play(opened, picture, async () => {
        await opened.open(`${server.address}/workflows/data/${place}`);
        await go(opened.page, server, opened);
      });
    },
  };
}
