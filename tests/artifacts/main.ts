/**
 * Runs the contract of artifact drivers against real servers.
 *
 *     deno task suite artifacts                all servers that are quick to install
 *     deno task suite artifacts s3 --case ID   one case of one server
 *     deno task suite artifacts --share 2/3    a third of the cases of each server
 */
import { programOptions } from "../../scripts/program_options.ts";
import { CASES, casesOf, runCase, type TestedStore } from "../../lib/artifacts/testing/contract/mod.ts";
import { isInShare, parseShare } from "../../scripts/share.ts";
import { SERVERS, Unavailable } from "./servers/mod.ts";

/** Longest duration of one case, in milliseconds. */
const TIMEOUT_MILLIS = 180_000;

const { values, positionals } = programOptions({
  allowPositionals: true,
  options: { case: { type: "string" }, all: { type: "boolean" }, share: { type: "string" } },
});
const share = parseShare(values.share);
const count = { passed: 0, failed: 0, skipped: 0 };
const cases = CASES.filter(({ id }) => values.case === undefined || id === values.case);

const unknown = positionals.filter((name) => !SERVERS.some((kind) => kind.name === name));
if (unknown.length > 0) {
  console.error(`Unknown server ${unknown.join(", ")}: expected one of ${SERVERS.map(({ name }) => name).join(", ")}`);
  Deno.exit(2);
}

for (const kind of SERVERS) {
  if (positionals.length > 0 && !positionals.includes(kind.name)) continue;
  if (kind.isSlow && !values.all && !positionals.includes(kind.name)) {
    count.skipped += cases.length;
    console.log(`SKIP ${kind.name}: slow to install: pass its name or --all`);
    continue;
  }
  try {
    await using server = await kind.start();
    for (const subject of server.subjects) await runCases({ ...subject, isAlone: true });
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    count.skipped += cases.length;
    console.log(`SKIP ${kind.name}: ${error.message}`);
  }
}
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
Deno.exit(count.failed > 0 ? 1 : 0);

async function runCases(subject: TestedStore): Promise<void> {
  const chosen = casesOf(subject).filter((testCase) =>
    cases.includes(testCase) && isInShare(`${subject.name} ${testCase.id}`, share)
  );
  for (const testCase of chosen) {
    const started = performance.now();
    const took = () => `(${((performance.now() - started) / 1000).toFixed(1)} s)`;
    try {
      const answer = await withTimeout(runCase(testCase, subject));
      if ("skipped" in answer) {
        count.skipped++;
        console.log(`SKIP ${subject.name} ${testCase.id}: ${answer.skipped}`);
      } else {
        count.passed++;
        console.log(`PASS ${subject.name} ${testCase.id} ${took()}`);
      }
    } catch (error) {
      count.failed++;
      console.log(`FAIL ${subject.name} ${testCase.id}: ${testCase.title} ${took()}`);
      console.log(String(error instanceof Error ? error.stack : error).replaceAll(/^/gm, "  "));
    }
  }
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`timed out after ${TIMEOUT_MILLIS / 1000} s`)),
    TIMEOUT_MILLIS,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
