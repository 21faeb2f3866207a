/**
 * Runs the journeys through the page, one after the other, in a real browser.
 *
 *     deno task ui              all journeys
 *     deno task ui UI-11 UI-18  journeys whose names contain one of these words
 *     deno task ui --share 2/3  a third of them
 */
import { programOptions } from "../../scripts/program_options.ts";
import { isInShare, parseShare, shareNotice } from "../../scripts/share.ts";
import { findChromium, startBrowser } from "./browser.ts";
import { journeyPage } from "./feed/feed.ts";
import { JOURNEYS } from "./journeys/mod.ts";

const PICTURES = new URL("../../build/ui-journeys", import.meta.url).pathname;
const LIMIT_MILLIS = 60_000;

const { values, positionals: words } = programOptions({
  allowPositionals: true,
  options: { share: { type: "string" } },
});
const share = parseShare(values.share);
const chosen = JOURNEYS.filter(({ name }) =>
  isInShare(name, share) && (words.length === 0 || words.some((word) => name.includes(word)))
);
const notice = shareNotice(share, chosen.length, JOURNEYS.length, "journeys");
if (notice) console.log(notice);
const program = await findChromium();
let passed = 0;
const failed: string[] = [];
if (program === undefined) {
  for (const { name } of chosen) console.log(`skipped  ${name}: Chromium is not installed`);
} else {
  await Deno.mkdir(PICTURES, { recursive: true });
  // Built before the journeys, so that no journey waits for the bundle.
  await journeyPage();
  let browser = await startBrowser(program);
  for (const { name, missing, run } of chosen) {
    if (missing !== undefined) {
      console.log(`skipped  ${name}: needs ${missing}`);
      continue;
    }
    const began = performance.now();
    const picture = `${PICTURES}/${name.split(" ")[0]}.png`;
    let fault = await withTimeout(run(browser, picture)).then(() => undefined, (error) => error);
    if (fault !== undefined && !browser.isConnected()) {
      // A system that runs out of memory kills the largest process, which is not a fault of the page.
      console.log(`the browser was killed during ${name}, which is run again`);
      browser = await startBrowser(program);
      fault = await withTimeout(run(browser, picture)).then(() => undefined, (error) => error);
    }
    const took = `${((performance.now() - began) / 1000).toFixed(1)} s`;
    if (fault === undefined) passed++;
    else failed.push(name);
    console.log(fault === undefined ? `ok       ${name} (${took})` : `FAIL ${name} (${took})\n${textOf(fault)}`);
  }
  await browser.close();
}
console.log(`${passed} passed, ${failed.length} failed, ${chosen.length - passed - failed.length} skipped`);
Deno.exit(failed.length > 0 || chosen.length === 0 ? 1 : 0);

async function withTimeout(running: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out after ${LIMIT_MILLIS / 1000} s`)), LIMIT_MILLIS);
  });
  await Promise.race([running, late]).finally(() => clearTimeout(timer));
}

function textOf(fault: unknown): string {
  const text = fault instanceof Error ? fault.stack ?? fault.message : String(fault);
  return text.split("\n").slice(0, 30).map((line) => `    ${line}`).join("\n");
}
