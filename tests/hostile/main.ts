/**
 * `deno task hostile [WORDS]`: first measures the cost curves of all shapes of texts (`costs`), and fails if CPU time
 * grows faster than the text, or too much memory is retained. Then it writes each hostile object of the table to the
 * cluster of the real controller, with concurrent canaries, and runs a canary alone after each. Finally it prints the
 * canaries' durations, the time for which the event loop was blocked, and the memory of the process, and fails if a
 * kind of objects delays its canaries. With words, only the cases whose names contain them run; with `--share 2/3`, a
 * third of them.
 */
import { programOptions } from "../../scripts/program_options.ts";
import { isInShare, parseShare } from "../../scripts/share.ts";
import { costCurve } from "./costs/cost_curve.ts";
import { curves } from "./costs/entries.ts";
import { HostileWorld, type Result } from "./hostile_world.ts";
import { SETTINGS, TABLE } from "./table.ts";

/** During a case, a canary may take twice its usual time; the milliseconds allow for other work of the machine. */
const MAX_TIMES = 2;
const NOISE_MILLIS = 50;
/** The longest median time for which the cases of a kind may block the event loop, in milliseconds of CPU time. */
const MAX_HELD_MILLIS = 60;

const { values, positionals } = programOptions({ allowPositionals: true, options: { share: { type: "string" } } });
const words = positionals.join(" ");
const share = parseShare(values.share);
const rows: string[] = [];
const slowKinds: string[] = [];
let passed = 0;
let failed = 0;
for (const { name, entry, shape } of curves().filter(({ name }) => name.includes(words) && isInShare(name, share))) {
  const { size, millis, held, problem } = costCurve(entry, shape);
  if (problem === undefined) passed++;
  else failed++;
  const work = millis.map((duration) => duration.toFixed(1)).join(", ");
  console.log(`${problem === undefined ? "ok  " : "FAIL"} ${name} (${work} ms, ${size} characters, ${held >> 10} KiB)`);
  if (problem !== undefined) console.log(`     ${problem}`);
}
await using world = await HostileWorld.start();
for (let canary = 0; canary < 5; canary++) await world.runCanaryAlone();
for (const [kind, cases] of Object.entries(TABLE)) {
  const results: Result[] = [];
  const alone: number[] = [];
  for (const hostile of cases.filter(({ name }) => name.includes(words) && isInShare(name, share))) {
    const result = await world.run(hostile, SETTINGS);
    results.push(result);
    // Between the cases, so that the machine is equally busy for canaries alone and those during a case.
    alone.push(await world.runCanaryAlone());
    if (result.problem === undefined) passed++;
    else failed++;
    const verdict = result.problem === undefined ? "ok  " : "FAIL";
    const { canaries, held, millis, name } = result;
    console.log(
      `${verdict} ${name} (${Math.round(millis)} ms, canary ${Math.round(median(canaries))} ms, ` +
        `slowest ${Math.round(Math.max(...canaries, 0))} ms, loop blocked ${Math.round(held)} ms)`,
    );
    if (result.problem !== undefined) console.log(`     ${result.problem}`);
  }
  if (results.length > 0) rows.push(judgeResults(kind, results, alone));
}
console.log(`\n${rows.join("\n")}`);
for (const line of slowKinds) console.log(line);
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
if (failed + slowKinds.length > 0) Deno.exitCode = 1;

/**
 * The line about a kind; records when it delays others. Uses medians, with one number for each case: a single slow
 * moment is not a failure.
 */
function judgeResults(kind: string, results: readonly Result[], alone: readonly number[]): string {
  const usual = median(alone);
  const concurrent = median(results.map(({ canaries }) => median(canaries)));
  const held = median(results.map(({ held }) => held));
  if (concurrent > MAX_TIMES * usual + NOISE_MILLIS) {
    slowKinds.push(`${kind}: a canary takes ${Math.round(concurrent)} ms with them, and ${Math.round(usual)} ms alone`);
  }
  if (held > MAX_HELD_MILLIS) slowKinds.push(`${kind}: they block the event loop for ${Math.round(held)} ms`);
  const slowest = Math.max(...results.flatMap(({ canaries }) => canaries), 0);
  const longest = Math.max(...results.map(({ held }) => held));
  const memory = Math.max(...results.map((result) => result.memory));
  return `${kind}: ${results.length} cases, canary ${Math.round(concurrent)} ms (median; ${
    Math.round(usual)
  } ms alone), ` +
    `${Math.round(slowest)} ms (slowest), loop blocked ${Math.round(held)} ms (median), ${
      Math.round(longest)
    } ms (longest), ` +
    `memory ${Math.round(memory / 2 ** 20)} MiB`;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
