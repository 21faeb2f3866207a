/**
 * Journeys through the page: their numbers, and those that nobody walks, each with the reason. The others stand in
 * `tests/ui/journeys`, each under a name that begins with its number; `scripts/ui_cases_test.ts` counts them.
 */

/** The numbers of all journeys: `UI-01` to `UI-90`. */
export const UI_JOURNEYS: readonly string[] = Array.from(
  { length: 90 },
  (_, at) => `UI-${String(at + 1).padStart(2, "0")}`,
);

/** Journeys that nobody walks, by number. */
export const NOT_WALKED: Readonly<Record<string, string>> = {};
