import { assertEquals } from "@std/assert";
import { scheduleWords } from "./schedule_words.ts";

Deno.test("scheduleWords: describes when a schedule runs", () => {
  const expected: Readonly<Record<string, string | undefined>> = {
    "* * * * *": "every minute",
    "*/5 * * * *": "every 5 minutes",
    "0 * * * *": "every hour",
    "15 * * * *": "at minute 15 of every hour",
    "*/7 * * * *": "at minute 0, 7, 14, 21, 28, 35, 42, 49, and 56 of every hour",
    "30 2 * * *": "at 02:30 every day",
    "@daily": "at 00:00 every day",
    "@weekly": "at 00:00 on Sunday",
    "0 9,17 * * 1-5": "at 09:00 and 17:00 on Monday to Friday",
    "0 */6 * * *": "at 00:00, 06:00, 12:00, and 18:00 every day",
    "10 */2 * * *": "every 2 hours at minute 10 every day",
    "*/20 9-17 * * sat,sun": "at minute 0, 20, and 40 of hours 9 to 17 on Sunday and Saturday",
    "0 12 1,15 * *": "at 12:00 on day 1 and 15 of the month",
    "0 12 1 * mon": "at 12:00 on day 1 of the month and on Monday",
    "0 0 1 jan,jul *": "at 00:00 on day 1 of the month in January and July",
    "CRON_TZ=Europe/Berlin 30 2 * * *": "at 02:30 every day",
    "@every 90s": "every 90s",
    "@often": undefined,
    "61 * * * *": undefined,
  };
  assertEquals(
    Object.fromEntries(Object.keys(expected).map((schedule) => [schedule, scheduleWords(schedule)])),
    expected,
  );
});
