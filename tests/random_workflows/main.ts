/**
 * Runs random workflows: `deno run -A tests/random_workflows/main.ts FIRST COUNT [references] [inline] [ended]
 * [repeated]`. Prints the seeds that fail, with their problems.
 */
import { playRandomRun } from "./play.ts";

const [first = "1", count = "1000", ...words] = Deno.args;
const options = {
  references: words.includes("references"),
  inline: words.includes("inline"),
  isEnded: words.includes("ended"),
  isRepeated: words.includes("repeated"),
};
let wrong = 0;
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  let problems: string[];
  try {
    problems = playRandomRun(seed, { ...options, ...(count === "1" && { log: console.log }) });
  } catch (error) {
    problems = [error instanceof Error ? error.stack ?? error.message : String(error)];
  }
  if (problems.length === 0) continue;
  wrong++;
  console.log(`seed ${seed}: ${problems.slice(0, 3).join(" | ").slice(0, 1500)}`);
}
console.log(`${count} workflows from seed ${first} on: ${wrong} failed`);
