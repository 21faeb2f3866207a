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
      await play(opened, picture, () => go({ ...opened, feed, browser }));
    },
  };
}

/**
 * Plays a journey on its page, and closes that. The picture shows how the journey ended, or where it failed.
 * @throws what the journey throws, else everything that is wrong with the page at its end.
 */
export async function play(opened: JourneyPage, picture: string, go: () => Promise<void>): Promise<void> {
  const { page, context, settled } = opened;
  try {
    await go();
    await settled();
    await page.screenshot({ path: picture });
    const faults = await opened.faults();
    if (faults.length > 0) throw new Error(faults.join("\n"));
  } catch (error) {
    await page.screenshot({ path: picture }).catch(() => {});
    throw error;
  } finally {
    await context.close();
  }
}
