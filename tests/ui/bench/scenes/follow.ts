/** B-11: a log with 10,000 lines a second is followed for a minute. Its stream is cut three times towards the end. */
import { lines, linesPolled, linesReconnecting, linesSoFar } from "../../../../ui/model/text/en/logs_tab.ts";
import { framesWhile } from "../frames.ts";
import { LINES_A_SECOND } from "../played/log_lines.ts";
import { percentile } from "../../../bench/statistics.ts";
import { awaitFirstDrawn, awaitTrue, goTo, type OpenPage, type Scene, withPage } from "../scene.ts";

const CUTS = 3;

/** The ends of the text below a log that is incomplete. */
const INCOMPLETE = [linesSoFar, linesPolled, linesReconnecting].map((text) => text(0).slice(lines(0).length));

export const FOLLOW: Scene = {
  name: "follow",
  about:
    "following a log of 10,000 lines a second for a minute (15 s with --once), with three interruptions at the end",
  isLong: true,
  withoutArgo: "its terminal does not expose its lines",
  measure: (bench) =>
    withPage(bench, async (open) => {
      const seconds = bench.isShort ? 15 : 60;
      const count = seconds * LINES_A_SECOND;
      await goTo(open, bench.tested.logOf(`followed-${Date.now()}`, `follow-${seconds}`));
      await awaitFirstDrawn(open, "line");
      const { began = NaN } = bench.server.followedLog() ?? {};
      await open.page.evaluate(noteLag(began));
      const frame = await framesWhile(open, () => awaitWritten(began, seconds * 0.8));
      const lags = await open.page.evaluate<number[]>("clearInterval(lagTimer), lags");
      for (let cut = 0; cut < CUTS; cut++) {
        bench.server.streams.cut();
        await awaitWritten(began, seconds * (0.8 + 0.05 * (cut + 1)));
      }
      const { kept, lost, doubled } = await downloadedLines(open, count);
      return {
        "lines lost": lost,
        "duplicate lines": doubled,
        "lines in the page": kept,
        "frame p95": frame,
        "lag p95": percentile(lags, 95) ?? NaN,
      };
    }),
};

/** Waits until the log has grown for a number of seconds. */
async function awaitWritten(began: number, seconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, began + seconds * 1000 - Date.now()));
}

/** Records ten times a second how far the last visible line lags behind the last written one. */
function noteLag(began: number): string {
  return `globalThis.lags = [];
  globalThis.lagTimer = setInterval(() => {
    const numbers = document.querySelectorAll(".log-number");
    const last = Number(numbers[numbers.length - 1]?.textContent);
    lags.push(Date.now() - (${began} + last * ${1000 / LINES_A_SECOND}));
  }, 100)`;
}

/** The number of lines in the page at the end, according to its download. */
async function downloadedLines(open: OpenPage, count: number) {
  const { page } = open;
  const ends = JSON.stringify(INCOMPLETE);
  await awaitTrue(open, `!${ends}.some((end) => document.querySelector(".log-foot").textContent.includes(end))`);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const text = await Deno.readTextFile(await (await download).path());
  const numbers = text.split("\n").filter((line) => line !== "").map((line) => Number(/line (\d+) /.exec(line)?.[1]));
  const different = new Set(numbers);
  return { kept: numbers.length, lost: count - different.size, doubled: numbers.length - different.size };
}
