/**
 * `deno task hostile [WORDS]`: first measures the cost curves of all shapes of texts (`costs`), and fails where the work grows
 * faster than the text, or too much memory is held. Then it writes every hostile object of the table into the cluster of the
 * real controller, one after the other, with canaries beside it, and one alone after each. It ends with how long those took,
 * how long the event loop was held, and the memory of the process, and fails where a kind keeps its canaries waiting. With words, only the cases
 * whose names hold them; with `--share 2/3`, a third of them.
 */
import { programOptions } from "../../scripts/program_options.ts";
import { isInShare, parseShare } from "../../scripts/share.ts";
import { costCurve } from "./costs/cost_curve.ts";
import { curves } from "./costs/entries.ts";
import { HostileWorld, type Result } from "./hostile_world.ts";
import { SETTINGS, TABLE } from "./table.ts";

/** Beside a case a canary may take twice its usual time; the milliseconds are for other work of the machine. */
const MOST_TIMES = 2;
const NOISE_MILLIS = 50;
/** The time that a usual case of a kind may hold the event loop, in milliseconds of work. */
const MOST_HELD_MILLIS = 60;

const { values, positionals } = programOptions({ allowPositionals: true, options: { share: { type: "string" } } });
const words = positionals.join(" ");
const share = parseShare(values.share);
const rows: string[] = [];
const tooSlow: string[] = [];
let passed = 0;
let failed = 0;
for (const { name, entry, shape } of curves().filter(({ name }) => name.includes(words) && isInShare(name, share))) {
  const { size, millis, held, problem } = costCurve(entry, shape);
  if (problem === undefined) passed++;
  else failed++;
  const work = millis.map((one) => one.toFixed(1)).join(", ");
  console.log(`${problem === undefined ? "ok  " : "FAIL"} ${name} (${work} ms, ${size} characters, ${held >> 10} KiB)`);
  if (problem !== undefined) console.log(`     ${problem}`);
}
await using world = await HostileWorld.start();
for (let canary = 0; canary < 5; canary++) await world.loneCanary();
for (const [kind, cases] of Object.entries(TABLE)) {
  const results: Result[] = [];
  const alone: number[] = [];
  for (const hostile of cases.filter(({ name }) => name.includes(words) && isInShare(name, share))) {
    const result = await world.run(hostile, SETTINGS);
    results.push(result);
    // Between the cases, so that the machine is as busy for those alone as for those beside something.
    alone.push(await world.loneCanary());
    if (result.problem === undefined) passed++;
    else failed++;
    const verdict = result.problem === undefined ? "ok  " : "FAIL";
    const { canaries, held, millis, name } = result;
    console.log(
      `${verdict} ${name} (${Math.round(millis)} ms, canary ${Math.round(median(canaries))} ms, ` +
        `slowest ${Math.round(Math.max(...canaries, 0))} ms, loop held ${Math.round(held)} ms)`,
    );
    if (result.problem !== undefined) console.log(`     ${result.problem}`);
  }
  if (results.length > 0) rows.push(judged(kind, results, alone));
}
console.log(`\n${rows.join("\n")}`);
for (const line of tooSlow) console.log(line);
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
if (failed + tooSlow.length > 0) Deno.exitCode = 1;

/**
 * The line about a kind; notes when it keeps others waiting. Medians, one number for each case: one slow moment is no
 * fault.
 */
function judged(kind: string, results: readonly Result[], alone: readonly number[]): string {
  const usual = median(alone);
  const beside = median(results.map(({ canaries }) => median(canaries)));
  const held = median(results.map(({ held }) => held));
  if (beside > MOST_TIMES * usual + NOISE_MILLIS) {
    tooSlow.push(`${kind}: a canary takes ${Math.round(beside)} ms beside them, and ${Math.round(usual)} ms alone`);
  }
  if (held > MOST_HELD_MILLIS) tooSlow.push(`${kind}: they hold the event loop for ${Math.round(held)} ms`);
  const slowest = Math.max(...results.flatMap(({ canaries }) => canaries), 0);
  const longest = Math.max(...results.map(({ held }) => held));
  const memory = Math.max(...results.map((result) => result.memory));
  return `${kind}: ${results.length} cases, canary ${Math.round(beside)} ms (median; ${Math.round(usual)} ms alone), ` +
    `${Math.round(slowest)} ms (slowest), loop held ${Math.round(held)} ms (median), ${
      Math.round(longest)
    } ms (longest), ` +
    `memory ${Math.round(memory / 2 ** 20)} MiB`;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
