/**
 * The complete property test of node IDs: 1,000 random workflows of 100,000 nodes each, in about seven minutes of CPU
 * time.
 *
 *     deno task suite node-ids
 *     deno task suite node-ids --share 2/3
 *     deno task suite node-ids --first 17 --runs 1    the workflow of one seed
 */
import { programOptions } from "../../scripts/program_options.ts";
import { parseShare, runsOfShare, shareNotice } from "../../scripts/share.ts";
import { checkIds } from "./check.ts";

const { values } = programOptions({
  options: {
    first: { type: "string", default: "1" },
    runs: { type: "string", default: "1000" },
    share: { type: "string" },
  },
});

const share = parseShare(values.share);
const { first, runs } = runsOfShare(Number(values.first), Number(values.runs), share);
const notice = shareNotice(share, runs, Number(values.runs), "workflows");
if (notice) console.log(notice);
let failed = 0;
let wider = 0;
for (let seed = first; seed < first + runs; seed++) {
  const checked = checkIds(seed);
  wider += checked.wider;
  if (checked.problems.length === 0) continue;
  failed++;
  console.log(`seed ${seed}: ${checked.problems.slice(0, 3).join("; ")}`);
}
console.log(`${wider} names shared a 32-bit hash with an earlier one`);
console.log(`${runs - failed} passed, ${failed} failed, 0 skipped`);
Deno.exit(failed ? 1 : 0);
