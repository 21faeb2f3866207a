/** Journeys on the end of a log. */
import { podNameOf } from "@tiphys/model/status";
import type { Journey } from "../journey.ts";
import { awaitTrue, lines, played } from "../played/played_journey.ts";
import { failedRun } from "../played/played_runs.ts";

export const LOG_END: readonly Journey[] = [
  played("UI-60 log: its end stays in view when a panel opens above it", "etl?tab=logs", async (server) => {
    const run = await failedRun("etl");
    const node = Object.values(run.status?.nodes ?? {}).find(({ displayName }) => displayName === "validate");
    server.stage.lines = lines(400).map((line) => ({ ...line, podName: podNameOf(run, node!) }));
    server.show(run);
  }, async (page) => {
    const atEnd = `(() => {
      const { scrollTop, scrollHeight, clientHeight } = document.querySelector(".log");
      return scrollHeight > clientHeight && scrollTop + clientHeight >= scrollHeight - 1;
    })()`;
    await page.locator('[data-line="399"]').waitFor();
    await awaitTrue(page, atEnd);
    const height = () => page.locator(".log").evaluate((log) => log.getBoundingClientRect().height);
    const before = await height();
    await page.getByRole("button", { name: "Details" }).click();
    await awaitTrue(page, `document.querySelector(".log").clientHeight < ${before - 20}`);
    await awaitTrue(page, atEnd);
  }),
];
