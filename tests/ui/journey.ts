/** Journeys: sequences of user actions and the expected state of the page. */
import type { Browser } from "playwright-core";
import { type JourneyPage, type Look, openPage, WIDE } from "./browser.ts";
import { type Feed, type FeedOptions, startFeed } from "./feed/feed.ts";

/** The page and the server of one journey. */
export interface Scene extends JourneyPage {
  readonly feed: Feed;
  readonly browser: Browser;
}

/** A journey. Its name begins with its number in the specification of the page. */
export interface Journey {
  readonly name: string;
  /** The missing prerequisite on this machine, to be printed after "needs". The journey is then skipped. */
  readonly missing?: string;
  readonly run: (browser: Browser, picture: string) => Promise<void>;
}

interface JourneyOptions extends FeedOptions {
  readonly look?: Look;
}

/** A journey with its own server. Takes a picture at the end, and fails if the page has faults. */
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
 * Runs a journey on its page, and closes the page. The picture shows the end of the journey, or its failure.
 * @throws the error of the journey, otherwise an error that lists all faults of the page.
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
