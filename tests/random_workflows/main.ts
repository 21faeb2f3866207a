/**
 * Random workflows under random events, with laws that hold for all of them, in each mode (`modes.ts`).
 *
 *     deno task suite random
 *     deno task suite random --share 2/3
 *     deno task suite random --runs 8000 --mode actions
 *     deno task suite random --first 17 --runs 1 --mode actions    logs the events of one seed
 */
import { programOptions } from "../../scripts/program_options.ts";
import { parseShare, runsOfShare, shareNotice } from "../../scripts/share.ts";
import { MODES } from "./modes.ts";

const { values } = programOptions({
  options: {
    first: { type: "string", default: "1" },
    runs: { type: "string", default: "1000" },
    mode: { type: "string" },
    share: { type: "string" },
  },
});

const modes = MODES.filter(({ name }) => !values.mode || name === values.mode);
if (modes.length === 0) throw new Error(`There is no mode "${values.mode}": ${MODES.map(({ name }) => name)}`);
const share = parseShare(values.share);
const { first, runs } = runsOfShare(Number(values.first), Number(values.runs), share);
const notice = shareNotice(share, runs, Number(values.runs), "seeds");
if (notice) console.log(notice);
const log = runs === 1 && values.mode ? console.log : undefined;
let failed = 0;
for (const { name, play } of modes) {
  for (let seed = first; seed < first + runs; seed++) {
    const problems = problemsOf(() => play(seed, log));
    if (problems.length === 0) continue;
    failed++;
    console.log(`${name}, seed ${seed}: ${problems.slice(0, 3).join(" | ").slice(0, 1500)}`);
  }
}
console.log(`${modes.length * runs - failed} passed, ${failed} failed, 0 skipped`);
Deno.exit(failed ? 1 : 0);

function problemsOf(play: () => readonly string[]): readonly string[] {
  try {
    return play();
  } catch (error) {
    return [error instanceof Error ? error.stack ?? error.message : String(error)];
  }
}
