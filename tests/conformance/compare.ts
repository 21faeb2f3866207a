/**
 * `deno task suite compare`: compares the results of the latest runs of the suite on a cluster and on the embedded
 * cluster.
 */
import { readKnownDifferences, reasonOf } from "./known_differences.ts";
import { readRecordedWorkflows } from "./recorded_workflows.ts";
import { differencesOf, pairWorkflows } from "./same_results.ts";

/** The maximum number of characters of a value that are shown. */
const SHOWN_CHARACTERS = 300;

const [cluster, embedded] = await Promise.all([readRecordedWorkflows("cluster"), readRecordedWorkflows("embedded")]);
if (cluster === undefined || embedded === undefined) {
  console.log(`Skipped: the suite has not run ${cluster === undefined ? "on a cluster" : "embedded"} yet`);
  console.log("0 passed, 0 failed, 1 skipped");
  Deno.exit(0);
}

const known = readKnownDifferences(await Deno.readTextFile(new URL("known_differences.txt", import.meta.url)));
const { pairs, unended, elsewhere } = pairWorkflows(cluster, embedded);
const counts = { same: 0, other: 0, explained: 0 };
for (const pair of pairs) {
  const differences = differencesOf(pair);
  const unexplained = differences.filter((difference) => reasonOf(difference, known) === undefined);
  if (differences.length === 0) counts.same++;
  else if (unexplained.length === 0) counts.explained++;
  else counts.other++;
  for (const { path, cluster, embedded } of unexplained) {
    console.log(
      `FAIL ${pair.workflow} differs at ${path}\n  cluster:  ${show(cluster)}\n  embedded: ${show(embedded)}`,
    );
  }
  for (const reason of new Set(differences.map((difference) => reasonOf(difference, known)))) {
    if (reason !== undefined) console.log(`Known difference: ${pair.workflow}: ${reason}`);
  }
}
if (elsewhere.length > 0) console.log(`${elsewhere.length} ran in a single place: ${elsewhere.join(", ")}`);
if (unended.length > 0) console.log(`Not compared because they did not end in both places: ${unended.join(", ")}`);
console.log(`${counts.same} passed, ${counts.other} failed, ${counts.explained + unended.length} skipped`);
Deno.exit(counts.other > 0 ? 1 : 0);

function show(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value).slice(0, SHOWN_CHARACTERS);
}
