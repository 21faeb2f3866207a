/** A scene of the bench, and what it is measured with. */
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { notesScript } from "./notes.ts";
import type { BenchServer } from "./played/bench_server.ts";
import type { TestedPage } from "./tested_page.ts";

/** The measured figures of a scene, by what they are; what takes longer than anybody waits is Infinity. */
export type Figures = Readonly<Record<string, number>>;

/** What a scene is measured with. */
export interface Bench {
  readonly browser: Browser;
  readonly server: BenchServer;
  readonly tested: TestedPage;
  /** Long scenes are shorter: figures of a first look. */
  readonly isShort: boolean;
}

/** One scene. */
export interface Scene {
  readonly name: string;
  /** What happens in it. */
  readonly about: string;
  /** It takes long: it is measured once, whatever the number of rounds. */
  readonly isLong?: boolean;
  /** Why Argo's page is not measured in it. */
  readonly withoutArgo?: string;
  measure(bench: Bench): Promise<Figures>;
}

/** The longest that anybody waits for a page. */
export const PATIENCE_MILLIS = 60_000;

/** A page that is measured, in a profile of its own. */
export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly session: CDPSession;
  readonly bench: Bench;
}

/** Measures with a page in a fresh profile. */
export async function withPage<T>(bench: Bench, measure: (open: OpenPage) => Promise<T>): Promise<T> {
  const context = await bench.browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  try {
    context.setDefaultTimeout(PATIENCE_MILLIS);
    await context.addInitScript(notesScript(bench.tested));
    const page = await context.newPage();
    return await measure({ page, context, session: await context.newCDPSession(page), bench });
  } finally {
    await context.close();
  }
}

/** Goes to an address of the server, and waits until what it asks for is there. */
export async function goTo({ page, bench }: OpenPage, path: string): Promise<void> {
  await page.goto(`${bench.server.address}${path}`, { waitUntil: "commit" });
}

/** Waits until our page waits for nothing more; Argo's does not tell. */
export async function settled({ page, bench }: OpenPage): Promise<void> {
  if (bench.tested.name === "Argo") return;
  await page.waitForSelector("html[data-settled=true]", { state: "attached" });
}

/** Whether an expression comes to hold before nobody waits any longer; a page that answers nothing meanwhile holds nothing. */
export async function holds({ page }: OpenPage, expression: string, patience = PATIENCE_MILLIS): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => timer = setTimeout(() => resolve(false), patience));
  const asked = page.evaluate<boolean>(`new Promise((resolve) => {
    const end = performance.now() + ${patience};
    const look = () => ${expression} ? resolve(true) : performance.now() > end ? resolve(false) : setTimeout(look, 16);
    look();
  })`);
  // Left with the page, where it came too late.
  asked.catch(() => {});
  return await Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

/** The moment in the page at which a sign was first drawn; Infinity where nobody waits for it any longer. */
export async function seen(open: OpenPage, sign: string, patience = PATIENCE_MILLIS): Promise<number> {
  if (!await holds(open, `notes.seen.${sign} !== undefined`, patience)) return Infinity;
  return await open.page.evaluate<number>(`notes.seen.${sign}`);
}

/** Now, by the clock of the page. */
export async function nowIn({ page }: OpenPage): Promise<number> {
  return await page.evaluate<number>("performance.now()");
}

/** The moment at which an answer was there, by a part of its address. */
export async function answeredAt({ page }: OpenPage, part: string): Promise<number> {
  return await page.evaluate<number>(
    `performance.getEntriesByType("resource").find(({ name }) => name.includes("${part}")).responseEnd`,
  );
}

/** The longest task that began between two moments; 0 where none took 50 ms. */
export async function longestTask({ page }: OpenPage, from: number, to = Infinity): Promise<number> {
  return await page.evaluate<number>(
    `Math.max(0, ...notes.tasks.filter(([start]) => start >= ${from} && start < ${to}).map(([, duration]) => duration))`,
  );
}
