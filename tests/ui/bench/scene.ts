/** Scenes of the bench, and functions to measure them. */
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { notesScript } from "./notes.ts";
import type { BenchServer } from "./played/bench_server.ts";
import type { TestedPage } from "./tested_page.ts";

/** The measurements of a scene, by description. Infinity after a timeout. */
export type Figures = Readonly<Record<string, number>>;

/** The environment of a scene. */
export interface Bench {
  readonly browser: Browser;
  readonly server: BenchServer;
  readonly tested: TestedPage;
  /** Whether long scenes are shortened, for a quick measurement. */
  readonly isShort: boolean;
}

/** One scene. */
export interface Scene {
  readonly name: string;
  /** A description for the user. */
  readonly about: string;
  /** Whether the scene takes long. It is then measured once, regardless of the number of rounds. */
  readonly isLong?: boolean;
  /** The reason why Argo's page is not measured, if it is not. */
  readonly withoutArgo?: string;
  measure(bench: Bench): Promise<Figures>;
}

/** The default timeout, in milliseconds. */
export const PATIENCE_MILLIS = 60_000;

/** An open page to measure, in its own browser profile. */
export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly session: CDPSession;
  readonly bench: Bench;
}

/** Opens a page in a new profile, measures, and closes it. */
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

/** Opens a URL of the server, and waits until its data has loaded. */
export async function goTo({ page, bench }: OpenPage, path: string): Promise<void> {
  await page.goto(`${bench.server.address}${path}`, { waitUntil: "commit" });
}

/** Waits until our page has no pending work. Argo's page does not report that. */
export async function awaitSettled({ page, bench }: OpenPage): Promise<void> {
  if (bench.tested.name === "Argo") return;
  await page.waitForSelector("html[data-settled=true]", { state: "attached" });
}

/** Whether an expression becomes true in the page before the timeout. A page that does not respond counts as false. */
export async function awaitTrue({ page }: OpenPage, expression: string, patience = PATIENCE_MILLIS): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => timer = setTimeout(() => resolve(false), patience));
  const evaluation = page.evaluate<boolean>(`new Promise((resolve) => {
    const end = performance.now() + ${patience};
    const look = () => ${expression} ? resolve(true) : performance.now() > end ? resolve(false) : setTimeout(look, 16);
    look();
  })`);
  // The evaluation is abandoned after a timeout.
  evaluation.catch(() => {});
  return await Promise.race([evaluation, late]).finally(() => clearTimeout(timer));
}

/** The time at which an element of a sign was first drawn; Infinity after a timeout. */
export async function awaitFirstDrawn(open: OpenPage, sign: string, patience = PATIENCE_MILLIS): Promise<number> {
  if (!await awaitTrue(open, `notes.seen.${sign} !== undefined`, patience)) return Infinity;
  return await open.page.evaluate<number>(`notes.seen.${sign}`);
}

/** The current time of the page's clock. */
export async function pageTime({ page }: OpenPage): Promise<number> {
  return await page.evaluate<number>("performance.now()");
}

/** The time at which a response was received, by a part of its URL. */
export async function answeredAt({ page }: OpenPage, part: string): Promise<number> {
  return await page.evaluate<number>(
    `performance.getEntriesByType("resource").find(({ name }) => name.includes("${part}")).responseEnd`,
  );
}

/** The duration of the longest task that began between two times; 0 if none took 50 ms. */
export async function longestTask({ page }: OpenPage, from: number, to = Infinity): Promise<number> {
  return await page.evaluate<number>(
    `Math.max(0, ...notes.tasks.filter(([start]) => start >= ${from} && start < ${to}).map(([, duration]) => duration))`,
  );
}
