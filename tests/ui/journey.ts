/** Journeys: what a person does, and what must be seen then. */
import type { Browser } from "playwright-core";
import { type JourneyPage, type Look, openPage, WIDE } from "./browser.ts";
import { type Feed, type FeedOptions, startFeed } from "./feed/feed.ts";

/** The parts that a journey has to itself. */
export interface Scene extends JourneyPage {
  readonly feed: Feed;
  readonly browser: Browser;
}

/** A journey by its number in the specification of the page. */
export interface Journey {
  readonly name: string;
  /** What this machine lacks for it, in words that follow "needs"; it is skipped by name then. */
  readonly missing?: string;
  readonly run: (browser: Browser, picture: string) => Promise<void>;
}

interface JourneyOptions extends FeedOptions {
  readonly look?: Look;
}

/** A journey before a feed of its own; it ends with a picture, and with a page that has no fault. */
export function journey(name: string, go: (scene: Scene) => Promise<void>, options: JourneyOptions = {}): Journey {
  return {
    name,
    async run(browser, picture) {
      await using feed = await startFeed(options);
      const opened = await openPage(browser, options.look ?? WIDE);
      try {
        await go({ ...opened, feed, browser });
        await endWell(opened, picture);
      } catch (error) {
        await opened.page.screenshot({ path: picture }).catch(() => {});
        throw error;
      } finally {
        await opened.context.close();
      }
    },
  };
}

/** Takes the picture and throws what is wrong with the page. */
export async function endWell(opened: JourneyPage, picture: string): Promise<void> {
  await opened.settled();
  await opened.page.screenshot({ path: picture });
  const faults = await opened.faults();
  if (faults.length > 0) throw new Error(faults.join("\n"));
}
