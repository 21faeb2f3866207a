/** A journey: one page in a real browser, which must leave no fault behind it. */
import { assertEquals } from "@std/assert";
import axe from "axe-core";
import { awaitFact } from "../../await_fact.ts";
import { type Browser, chromium, type Page } from "playwright-core";

/** Places at which Linux has Chromium. */
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The path of a browser; undefined where there is none. */
export function browserPath(): string | undefined {
  const named = Deno.env.get("CHROMIUM");
  return [...(named ? [named] : []), ...PLACES].find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}

/** Starts the browser. */
export async function startBrowser(executablePath: string): Promise<Browser> {
  // Containers of CI give no namespaces to a browser's own sandbox; nothing but the page's own files is opened.
  return await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

/** The screen of a journey. */
export interface Screen {
  readonly colorScheme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
}

/** Long enough for a machine that does other things, too. */
const PATIENCE_MILLIS = 60_000;

/** Opens an address, makes the journey, and judges what it leaves. */
export async function journey(
  browser: Browser,
  address: string,
  make: (page: Page) => Promise<void>,
  { colorScheme = "light", width = 1440, height = 900 }: Screen = {},
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  try {
    context.setDefaultTimeout(PATIENCE_MILLIS);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    page.on("console", (message) => {
      // Streams that are cut on purpose are told of by the browser; what the page makes of them is the journey's matter.
      if (message.type() === "error" && !/ERR_INCOMPLETE_CHUNKED_ENCODING/.test(message.text())) {
        faults.push(message.text());
      }
    });
    await page.goto(address);
    await settled(page);
    await make(page);
    await settled(page);
    assertEquals(await violations(page), []);
    assertEquals(faults, []);
  } finally {
    await context.close();
  }
}

/** Waits until the page waits for nothing. */
export async function settled(page: Page): Promise<void> {
  await holds(page, "document.documentElement.dataset.settled === 'true'");
}

/** Waits until an expression holds in the page; the policy of the page lets nobody but the debugger evaluate one. */
export async function holds(page: Page, expression: string): Promise<void> {
  await awaitFact(expression, async () => await page.evaluate(expression) === true, {
    seconds: PATIENCE_MILLIS / 1000,
  });
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate("axe.run().then((result) => result.violations)") as {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
  return found.map(({ id, nodes }) =>
    `${id}: ${
      nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`).join(" | ")
    }`
  );
}
