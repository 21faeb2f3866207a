/**
 * Runs the conformance suite and compares the result with the list of known failures.
 *
 *     deno task suite conformance [OPTIONS] [-- OPTIONS OF THE SUITE'S RUNNER]
 *       --kubeconfig FILE  the cluster to run on (default: E2E_KUBECONFIG, kind, or a cluster of our own)
 *       --embedded         run on the embedded cluster instead
 *       --from-source      run the controller here from its sources instead of its image
 *       --suite DIR        where the suite is (default: ../shared/conformance)
 *       --cases DIR        a folder with other cases
 *       --profile foreign  take over an installed Argo with its CRDs (--crds minimal or full), roles and Deployments
 *       --share K/N        one of N shares of the cases, the same ones in both places (default: all)
 *       --only AREA|ID     areas, ids or globs of ids, separated by commas (default: the areas that are implemented)
 */
import { programOptions } from "../../scripts/program_options.ts";
import { parseShare, shareNotice } from "../../scripts/share.ts";
import { parseProfile } from "../foreign/crds.ts";
import { chooseCases } from "./choose_cases.ts";
import { type ClusterKind, judgeRun, readKnownFailures } from "./known_failures.ts";
import { runOnCluster } from "./on_cluster.ts";
import { runOnEmbedded } from "./on_embedded.ts";

/** Areas that run in both places, because pods differ there. */
const AREAS = [
  "steps",
  "dag",
  "params",
  "scripts",
  "loops",
  "conditionals",
  "exit-handler",
  "suspend",
  "templates",
  "resource",
  "initless",
  "pod-spec",
  "containerset",
  "daemon-sidecar",
  "deadline",
  "expressions",
  "validation",
  "sync",
  "memoize",
  "http",
  "artifacts",
  "data",
  "retry/evicted-pod-restarts",
  "gc/artifact-*",
];

/**
 * Areas, and parts of areas, that test only the engine, which is the same in both places: they run where it is faster.
 */
const ENGINE_AREAS = [
  "retry",
  "hooks",
  "cron",
  "gc/pod-*",
  "gc/ttl-*",
  "gc/volume-claim",
  "parallelism",
];

const ROOT = new URL("../../", import.meta.url).pathname;

async function isThere(file: string): Promise<boolean> {
  return await Deno.stat(file).then(() => true, () => false);
}

const { values, positionals } = programOptions({
  allowPositionals: true,
  options: {
    kubeconfig: { type: "string" },
    embedded: { type: "boolean", default: false },
    "from-source": { type: "boolean", default: false },
    suite: { type: "string", default: new URL("../shared/conformance", `file://${ROOT}`).pathname },
    cases: { type: "string" },
    profile: { type: "string" },
    crds: { type: "string" },
    share: { type: "string" },
    only: { type: "string", multiple: true },
  },
});
if (!await isThere(`${values.suite}/cases.json`)) {
  console.log(`Skipped: no conformance suite in ${values.suite}`);
  console.log("0 passed, 0 failed, 1 skipped");
  Deno.exit(0);
}

const foreign = parseProfile(values);
const place: ClusterKind = values.embedded ? "embedded" : foreign === "minimal" ? "minimal" : "cluster";
const known = readKnownFailures(await Deno.readTextFile(new URL("known_failures.txt", import.meta.url)), place);
const areas = values.embedded ? [...AREAS, ...ENGINE_AREAS] : AREAS;
const share = parseShare(values.share);
const all = JSON.parse(await Deno.readTextFile(`${values.cases ?? values.suite}/cases.json`));
const { chosen: inShare, candidates } = chooseCases(all, values.only ?? areas, share);
const notice = shareNotice(share, inShare.length, candidates, "cases");
if (notice) console.log(notice);
// Some of them take minutes until they fail, which is too long for a share. Whole runs notice when one passes.
const chosen = share.of === 1 ? inShare : inShare.filter((id) => !known.has(id));
const leftOut = inShare.filter((id) => !chosen.includes(id));
if (leftOut.length > 0) console.log(`Not run, because they are known to fail: ${leftOut.join(", ")}`);
if (chosen.length === 0) {
  console.log("0 passed, 0 failed, 0 skipped");
  Deno.exit(0);
}
const run = { suite: values.suite, cases: values.cases, only: chosen, knownFailures: known, options: positionals };
const results = values.embedded
  ? await runOnEmbedded(run)
  : await runOnCluster({ ...run, kubeconfig: values.kubeconfig, fromSource: values["from-source"], foreign });

const verdict = judgeRun(results, known);
for (const [reason, ids] of Map.groupBy(verdict.expectedFailures, (id) => known.get(id))) {
  console.log(`${ids.length} known to fail: ${reason}: ${ids.join(", ")}`);
}
for (const id of verdict.fixed) console.log(`Listed as a known failure, but it passes: ${id}`);
for (const { id, firstFailure } of verdict.unsteady) {
  console.log(`Passed only when it ran alone: ${id}: ${firstFailure}`);
}
for (const { id, why } of verdict.unexpected) console.log(`FAIL ${id}: ${why.replaceAll("\n", " ")}`);
console.log(verdict.counts);
Deno.exit(verdict.unexpected.length > 0 ? 1 : 0);
