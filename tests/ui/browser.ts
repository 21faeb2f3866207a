/** The browser of the journeys, and what is asked of every page that it shows. */
import { assertEquals } from "@std/assert";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { awaitFact } from "../await_fact.ts";
import { NOW } from "./feed/feed.ts";

/** The places where a Debian has Chromium, and other systems theirs. */
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"] as const;

/** The program of the browser; undefined where there is none. */
export async function findChromium(): Promise<string | undefined> {
  for (const path of PLACES) {
    if (await Deno.stat(path).then(() => true, () => false)) return path;
  }
  return undefined;
}

/**
 * Features of Chromium that are off. The popup of the address bar is a page of four hundred scripts, which each new window
 * loads in a process of its own while the page that is looked at loads.
 */
const WITHOUT_FEATURES = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxFullPopup",
  "WebUIOmniboxAimPopup",
  "PreloadTopChromeWebUI",
  // Those that Playwright turns off: of two lists Chromium heeds the last one only.
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

/** Starts the browser. */
export async function startBrowser(executablePath: string): Promise<Browser> {
  const features = `--disable-features=${WITHOUT_FEATURES.join(",")}`;
  // Browsers have no sandbox of their own where root runs them.
  const args = ["--disable-dev-shm-usage", "--force-color-profile=srgb", features];
  return await chromium.launch({ executablePath, args: Deno.uid() === 0 ? ["--no-sandbox", ...args] : args });
}

/** The size and the look of a page. */
export interface Look {
  readonly width: number;
  readonly height: number;
  readonly theme: "light" | "dark";
}

export const WIDE: Look = { width: 1440, height: 900, theme: "light" };
export const NARROW: Look = { width: 390, height: 844, theme: "light" };

/** The longest that a page is waited for: where much else is at work its programs alone may take half a minute. */
const FIRST_MILLIS = 50_000;

/** A page of a journey. */
export interface JourneyPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Goes to an address, and waits until what it asks for is there. */
  open(url: string): Promise<void>;
  settled(): Promise<void>;
  /** Refusals that a journey provokes stand on the console: those with such a status are no fault. */
  expectStatus(...statuses: readonly number[]): void;
  /** What is refused to foreign scripts on purpose is told on the console: such words are no fault. */
  expectConsole(words: RegExp): void;
  /** Everything that is wrong with the page as it stands, and with what was shown before. */
  faults(): Promise<string[]>;
}

/** Waits until the query of the address has these values, or none: the browser tells of it after the page has changed. */
export async function addressHas(page: Page, wanted: Readonly<Record<string, string | null>>): Promise<void> {
  await awaitFact("the address has what is wanted", () => {
    const { searchParams } = new URL(page.url());
    assertEquals(Object.fromEntries(Object.keys(wanted).map((name) => [name, searchParams.get(name)])), wanted);
    return true;
  }, { seconds: 20 });
}

/** Opens a page in a profile of its own. */
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
  const told: RegExp[] = [];
  context.on("page", (page) => watch(page, faults, { expected, told }));
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
    expectConsole: (words) => void told.push(words),
    async faults() {
      await page.evaluate(axe.source);
      const found = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
        const { violations } = await axe.run({ resultTypes: ["violations"] });
        return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `axe: ${id}: ${html.slice(0, 200)}`));
      });
      // A link without an address is none for keys and for screen readers.
      const dead = await page.locator("a:not([href])").evaluateAll((all) => all.map(({ outerHTML }) => outerHTML));
      return [...faults, ...found, ...dead.map((html) => `link without an address: ${html.slice(0, 200)}`)];
    },
  };
}

interface Expected {
  readonly expected: ReadonlySet<number>;
  readonly told: readonly RegExp[];
}

function watch(page: Page, faults: string[], { expected, told }: Expected): void {
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    // A frame without rights tried to run a script, and was kept from it.
    if (/^Blocked script execution in .*artifact-files.* sandboxed/.test(message.text())) return;
    if (told.some((words) => words.test(message.text()))) return;
    const [, status] = /status of (\d+)/.exec(message.text()) ?? [];
    // A stream that is cut on purpose, and a request that is left, are told there too.
    if (/net::ERR_(INCOMPLETE|ABORTED|CONNECTION_REFUSED)/.test(message.text())) return;
    if (status === undefined || !expected.has(Number(status))) faults.push(`console: ${message.text()}`);
  });
}

/** Opens a menu of the page of a run, and clicks what it has under a name. */
export async function chooseIn(page: Page, menu: "More" | "View", name: string): Promise<void> {
  await openMenu(page, menu);
  await page.locator(`.menu.${menu.toLowerCase()}`).getByText(name, { exact: true }).click();
}

/** Opens a menu of the page of a run. */
export async function openMenu(page: Page, menu: "More" | "View"): Promise<void> {
  await page.locator(`.menu.${menu.toLowerCase()} > summary`).click();
}
