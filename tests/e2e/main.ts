/**
 * `deno task e2e`: runs workflows on a real cluster with our images and manifests. Ends with `N passed, N failed, N
 * skipped`, and stops a cluster that it started. Words on the command line select cases by title, `--share 2/3` selects
 * a share of them. `--profile foreign --crds full` installs Argo with its CRDs (`minimal` or `full`), roles, accounts
 * and Deployments, and takes it over.
 *
 * - `cases/`: the statements to prove; `workflows/`: workflows that are files;
 * - `case.ts`, `workflow_run.ts`, `on_node.ts`: the vocabulary of cases;
 * - `test_images.ts`: the images of user containers;
 * - `run_cases.ts`: runs the cases, some in parallel.
 */
import { programOptions } from "../../scripts/program_options.ts";
import { KubeClient } from "@tiphys/kube";
import { connectKubeconfig } from "@tiphys/kube/connections";
import { isInShare, parseShare, shareNotice } from "../../scripts/share.ts";
import { parseProfile } from "../foreign/crds.ts";
import { type ClusterUnderTest, findCluster, install } from "../install/mod.ts";
import { CASES } from "./cases.ts";
import { runCases } from "./run_cases.ts";
import { testImages } from "./test_images.ts";

const NAMESPACE = "argo";

async function loadTestImages(cluster: ClusterUnderTest): Promise<void> {
  for (const [name, source] of Object.entries(await testImages())) await cluster.load(source, `tiphys-test/${name}:1`);
}

const { values, positionals: words } = programOptions({
  allowPositionals: true,
  options: { share: { type: "string" }, profile: { type: "string" }, crds: { type: "string" } },
});
const foreign = parseProfile(values);
const share = parseShare(values.share);
const chosen = CASES.filter(({ title }) => isInShare(title, share) && words.every((word) => title.includes(word)));
const notice = shareNotice(share, chosen.length, CASES.length, "cases");
if (notice) console.log(notice);
const { passed, failed, skipped } = await (async () => {
  await using cluster = await findCluster();
  console.error(`On ${cluster.description}`);
  await loadTestImages(cluster);
  const { executor } = await install(cluster, NAMESPACE, { foreign });
  const { kubectl, kubeconfig } = cluster;
  const client = new KubeClient((await connectKubeconfig({ kubeconfig })).transport);
  const isForeign = foreign !== undefined;
  const stage = { cluster, kubectl, client, namespace: NAMESPACE, executorArchive: executor.archive, isForeign };
  const outcomes = await runCases(stage, chosen);
  await kubectl.output("-n", NAMESPACE, "delete", "workflows", "--all", "--wait=false");
  return outcomes;
})();
console.log(`${passed} passed, ${failed} failed, ${skipped + CASES.length - chosen.length} skipped`);
Deno.exit(failed > 0 ? 1 : 0);
