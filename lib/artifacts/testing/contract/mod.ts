/**
 * The contract of drivers, as numbered cases that every store must pass. A skipped case is reported with its reason.
 */
import { ABSENCE } from "./absence.ts";
import { Bench, type Case, SkippedCaseError, type TestedStore } from "./bench.ts";
import { ENCRYPTION } from "./encryption.ts";
import { FAULTS } from "./faults.ts";
import { ROUND_TRIPS } from "./round_trips.ts";

export {
  assertSame,
  Bench,
  blockingContent as stuckAt,
  bytesOf,
  type Case,
  pseudoRandomBytes as noise,
  SkippedCaseError,
  type TestedStore,
  uploadsInMemory,
} from "./bench.ts";
export { type Fault, FaultProxy } from "./fault_proxy.ts";

/** All cases, in numerical order. */
export const CASES: readonly Case[] = [...ROUND_TRIPS, ...ABSENCE, ...ENCRYPTION, ...FAULTS];

/** Returns the cases for a store. */
export function casesOf({ only }: TestedStore): readonly Case[] {
  return only ? CASES.filter(({ id }) => only.includes(id)) : CASES;
}

/** The outcome of a case that did not fail: passed, or the reason why it was skipped. */
export type CaseOutcome = { readonly passed: true } | { readonly skipped: string };

/** Runs one case on a store. */
export async function runCase(testCase: Case, underTest: TestedStore): Promise<CaseOutcome> {
  const reason = underTest.cannot?.[testCase.id];
  if (reason !== undefined) return { skipped: reason };
  await using bench = await Bench.create(testCase, underTest);
  const lacking = (testCase.needs ?? []).filter((ability) => !bench.driver.can[ability]);
  if (lacking.length > 0) return { skipped: `it cannot ${lacking.join(", ")}` };
  try {
    await testCase.keep(bench);
    return { passed: true };
  } catch (error) {
    if (error instanceof SkippedCaseError) return { skipped: error.message };
    throw error;
  }
}

/** Registers all cases as tests of a store. Skipped ones are printed with their reason. */
export function testContract(underTest: TestedStore): void {
  for (const testCase of casesOf(underTest)) {
    const reason = underTest.cannot?.[testCase.id];
    const title = `${underTest.name}, ${testCase.id}: ${testCase.title}${reason ? ` (not asked: ${reason})` : ""}`;
    Deno.test(title, { ignore: reason !== undefined, sanitizeResources: false, sanitizeOps: false }, async () => {
      const answer = await runCase(testCase, underTest);
      if ("skipped" in answer) console.log(`skipped: ${answer.skipped}`);
    });
  }
}
