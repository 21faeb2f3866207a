/**
 * `deno task e2e`: a real cluster, our images and manifests on it, and workflows that run there; `cases.ts` has what is proved,
 * `workflows/` the workflows. Ends with `N passed, N failed, N skipped`; a cluster that it started is ended. Words on the command line
 * choose cases by their titles.
 */
import { clusterSettings } from "../cluster/mod.ts";
import { layOutShims, testImage } from "../images/mod.ts";
import { type ClusterUnderTest, findCluster, install } from "../install/mod.ts";
import { CASES } from "./cases.ts";

const NAMESPACE = "argo";

async function loadTestImages(cluster: ClusterUnderTest): Promise<void> {
  const { cache } = clusterSettings();
  const shims = await Deno.makeTempDir({ prefix: "shims-" });
  await layOutShims(shims);
  await cluster.load(await testImage(cache, { root: "debian", overlays: [shims] }), "tiphys-test/debian:1");
  await cluster.load(await testImage(cache, { root: "busybox", cmd: ["sh"] }), "tiphys-test/busybox:1");
  await cluster.load(await testImage(cache, { root: "single-program" }), "tiphys-test/single-program:1");
  await Deno.remove(shims, { recursive: true });
}

/** Runs the cases and prints a line for each; returns how many passed. */
async function runCases(cluster: ClusterUnderTest, chosen: typeof CASES): Promise<number> {
  let passed = 0;
  for (const { title, run } of chosen) {
    const started = performance.now();
    const seconds = () => `(${((performance.now() - started) / 1000).toFixed(1)} s)`;
    try {
      const measured = await run(cluster.kubectl, NAMESPACE);
      console.log(`PASS ${title} ${seconds()}${measured ? `: ${measured}` : ""}`);
      passed++;
    } catch (error) {
      console.log(`FAIL ${title} ${seconds()}\n${error instanceof Error ? error.message : error}`);
    }
  }
  return passed;
}

const chosen = CASES.filter(({ title }) => Deno.args.every((word) => title.includes(word)));
const passed = await (async () => {
  await using cluster = await findCluster();
  console.error(`On ${cluster.description}`);
  await loadTestImages(cluster);
  await install(cluster, NAMESPACE);
  const passed = await runCases(cluster, chosen);
  await cluster.kubectl.output("-n", NAMESPACE, "delete", "workflows", "--all", "--wait=false");
  return passed;
})();
console.log(`${passed} passed, ${chosen.length - passed} failed, ${CASES.length - chosen.length} skipped`);
Deno.exit(passed < chosen.length ? 1 : 0);
