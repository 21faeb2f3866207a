/**
 * Journeys through the page: their numbers, and those without a test, each with the reason. The others are in
 * `tests/ui/journeys`, with names that begin with their numbers; `scripts/ui_cases_test.ts` counts them.
 */

/** The numbers of all journeys: `UI-01` to `UI-90`. */
export const UI_JOURNEYS: readonly string[] = Array.from(
  { length: 90 },
  (_, index) => `UI-${String(index + 1).padStart(2, "0")}`,
);

/** Journeys without a test, by number. */
export const UNTESTED_JOURNEYS: Readonly<Record<string, string>> = {};
