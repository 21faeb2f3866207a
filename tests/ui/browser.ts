/** The browser of the journeys, and the checks for every page that it shows. */
import { assertEquals } from "@std/assert";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { awaitFact } from "../await_fact.ts";
import { NOW } from "./feed/feed.ts";

/** Paths of Chromium in Debian and in other systems. */
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"] as const;

/** The path of the browser; undefined if it is not installed. */
export async function findChromium(): Promise<string | undefined> {
  for (const path of PLACES) {
    if (await Deno.stat(path).then(() => true, () => false)) return path;
  }
  return undefined;
}

/**
 * Disabled features of Chromium. The popup of the address bar is a page of four hundred scripts, which each new window
 * loads in a separate process while the page under test loads.
 */
const WITHOUT_FEATURES = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxFullPopup",
  "WebUIOmniboxAimPopup",
  "PreloadTopChromeWebUI",
  // The features that Playwright disables: Chromium only honors the last of several lists.
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/** Starts Chromium. */
export async function startBrowser(executablePath: string): Promise<Browser> {
  const features = `--disable-features=${WITHOUT_FEATURES.join(",")}`;
  // Chromium has no sandbox when run as root.
  const args = ["--disable-dev-shm-usage", "--force-color-profile=srgb", features];
  return await chromium.launch({ executablePath, args: Deno.uid() === 0 ? ["--no-sandbox", ...args] : args });
}

/** The viewport size and the color scheme of a page. */
export interface Look {
  readonly width: number;
  readonly height: number;
  readonly theme: "light" | "dark";
}

export const WIDE: Look = { width: 1440, height: 900, theme: "light" };
export const NARROW: Look = { width: 390, height: 844, theme: "light" };

/** Longest time to wait for a page. On a busy machine, loading its scripts may take half a minute. */
const FIRST_MILLIS = 50_000;

/** An open page of a journey. */
export interface JourneyPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Opens a URL, and waits until its data has loaded. */
  open(url: string): Promise<void>;
  settled(): Promise<void>;
  /** Allows failed requests with these statuses, which a journey provokes: browsers report them on the console. */
  expectStatus(...statuses: readonly number[]): void;
  /** Allows console messages that match: browsers report scripts that are blocked on purpose. */
  expectConsole(words: RegExp): void;
  /** All problems of the page and of pages that it has shown before. */
  faults(): Promise<string[]>;
}

/** Waits until the query of the URL has these values; `null` means absent. The URL changes after the page. */
export async function awaitQuery(page: Page, expected: Readonly<Record<string, string | null>>): Promise<void> {
  await awaitFact("the URL has the expected query", () => {
    const { searchParams } = new URL(page.url());
    assertEquals(Object.fromEntries(Object.keys(expected).map((name) => [name, searchParams.get(name)])), expected);
    return true;
  }, { seconds: 20 });
}

/** Opens a page in a new browser profile. */
export async function openPage(
  browser: Browser,
  look: Look = WIDE,
  { isClockFixed = true } = {},
): Promise<JourneyPage> {
  const context = await browser.newContext({
    viewport: { width: look.width, height: look.height },
    colorScheme: look.theme,
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(20_000);
  context.setDefaultNavigationTimeout(FIRST_MILLIS);
  const faults: string[] = [];
  const expected = new Set<number>();
  const expectedMessages: RegExp[] = [];
  context.on("page", (page) => watch(page, faults, { expected, expectedMessages }));
  const page = await context.newPage();
  if (isClockFixed) await page.clock.setFixedTime(NOW);
  const settled = async () => {
    await page.waitForSelector("html[data-settled=true]", { state: "attached", timeout: FIRST_MILLIS });
  };
  return {
    page,
    context,
    settled,
    async open(url) {
      await page.goto(url);
      await settled();
    },
    expectStatus: (...statuses) => statuses.forEach((status) => expected.add(status)),
    expectConsole: (words) => void expectedMessages.push(words),
    async faults() {
      await page.evaluate(axe.source);
      const found = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
        const { violations } = await axe.run({ resultTypes: ["violations"] });
        return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `axe: ${id}: ${html.slice(0, 200)}`));
      });
      // Links without `href` are not accessible by keyboard or screen reader.
      const dead = await page.locator("a:not([href])").evaluateAll((all) => all.map(({ outerHTML }) => outerHTML));
      return [...faults, ...found, ...dead.map((html) => `link without an address: ${html.slice(0, 200)}`)];
    },
  };
}

interface ExpectedFaults {
  readonly expected: ReadonlySet<number>;
  readonly expectedMessages: readonly RegExp[];
}

function watch(page: Page, faults: string[], { expected, expectedMessages }: ExpectedFaults): void {
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    // A sandboxed frame tried to run a script, and was blocked as expected.
    if (/^Blocked script execution in .*artifact-files.* sandboxed/.test(message.text())) return;
    if (expectedMessages.some((words) => words.test(message.text()))) return;
    const [, status] = /status of (\d+)/.exec(message.text()) ?? [];
    // Streams that are cut and requests that are canceled on purpose are reported on the console as well.
    if (/net::ERR_(INCOMPLETE|ABORTED|CONNECTION_REFUSED)/.test(message.text())) return;
    if (status === undefined || !expected.has(Number(status))) faults.push(`console: ${message.text()}`);
  });
}

/** Opens a menu on the page of a run, and clicks an entry. */
export async function chooseIn(page: Page, menu: "More" | "View", name: string): Promise<void> {
  await openMenu(page, menu);
  await page.locator(`.menu.${menu.toLowerCase()}`).getByText(name, { exact: true }).click();
}

/** Opens a menu on the page of a run. */
export async function openMenu(page: Page, menu: "More" | "View"): Promise<void> {
  await page.locator(`.menu.${menu.toLowerCase()} > summary`).click();
}
