/**
 * `deno task bench:pods`: what a pod of ours costs on a real cluster, beside a bare pod and, when it is named, beside another
 * implementation of the same API. All contenders take turns within one run. Prints a table; `--json FILE` keeps every sample.
 *
 * - `settings.ts`, `contender.ts`: what runs, and who runs it;
 * - `run.ts`: one measured run; `memory.ts`: what processes weigh;
 * - `report.ts`: medians.
 */
import { parseArgs } from "node:util";
import { connectKubeconfig, KubeClient, NODES } from "../../../lib/kube/mod.ts";
import { buildImages } from "../../../scripts/build.ts";
import { IMAGE_PACKAGES } from "../../../scripts/build_git.ts";
import { clusterSettings, ensureDebianPackages } from "../../cluster/mod.ts";
import { testImage } from "../../images/mod.ts";
import { applyKinds, type ClusterUnderTest, FAST_COMPRESSION, findCluster } from "../../install/mod.ts";
import { type Contender, otherContender, ourContender, startContender } from "./contender.ts";
import { type PodWeight, weigh } from "./memory.ts";
import { type Measured, tableOf } from "./report.ts";
import { runBarePod, runWorkflow, type Sample } from "./run.ts";
import { USER_IMAGE } from "./settings.ts";

const USAGE = `Usage: deno task bench:pods [--rounds 20] [--weighings 5] [--json FILE]
         [--peer-controller COMMAND --peer-image IMAGE [--peer-archive FILE]]
  --peer-controller  words that start another controller; it is given the flags of the argo workflow-controller
  --peer-image       the name of its executor image
  --peer-archive     that image as an OCI archive, when the cluster does not have it yet`;

const ROOT = new URL("../../../", import.meta.url).pathname;

const { values: flags } = parseArgs({
  options: {
    "rounds": { type: "string", default: "20" },
    "weighings": { type: "string", default: "5" },
    "json": { type: "string" },
    "peer-controller": { type: "string" },
    "peer-image": { type: "string" },
    "peer-archive": { type: "string" },
    "help": { type: "boolean" },
  },
});
if (flags.help || (flags["peer-controller"] === undefined) !== (flags["peer-image"] === undefined)) {
  console.error(USAGE);
  Deno.exit(flags.help ? 0 : 2);
}

await using cluster = await findCluster();
const client = new KubeClient((await connectKubeconfig({ kubeconfig: cluster.kubeconfig })).transport);
console.error(`On ${cluster.description}`);
await applyKinds(cluster.kubectl);
await loadImages(cluster);
await using contenders = new AsyncDisposableStack();
const started: Contender[] = [];
for (const options of contenderOptions()) {
  started.push(contenders.use(await startContender(cluster, options)));
}
const measured = await measure(started);
console.log(`${await machine()}\n`);
console.log(tableOf(measured));
if (flags.json) {
  await Deno.writeTextFile(flags.json, JSON.stringify({ machine: await machine(), measured }, null, 2));
}

async function loadImages(cluster: ClusterUnderTest): Promise<void> {
  await ensureDebianPackages(IMAGE_PACKAGES);
  const images = await buildImages(`${ROOT}build/e2e`, FAST_COMPRESSION);
  for (const { reference, archive } of images) await cluster.load(archive, reference);
  await cluster.load(await testImage(clusterSettings().cache, { root: "debian" }), USER_IMAGE);
  if (flags["peer-archive"]) await cluster.load(flags["peer-archive"], flags["peer-image"]!);
}

function contenderOptions() {
  const layouts = ["initless", "legacy"] as const;
  const command = flags["peer-controller"]?.split(" ");
  return [
    ...(["initless", "single-container", "legacy"] as const).map((layout, index) =>
      ourContender(layout, 16061 + index)
    ),
    ...(command ? layouts.map((layout) => otherContender(layout, command, flags["peer-image"]!)) : []),
  ];
}

/** In turns, so that whatever else happens on the machine happens to all; the first turn pulls images and does not count. */
async function measure(contenders: readonly Contender[]): Promise<Measured[]> {
  const names = ["bare pod", ...contenders.map(({ name }) => name)];
  const runs = new Map<string, Promise<Sample>[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= Number(flags.rounds); round++) {
    console.error(round === 0 ? "Warming up" : `Round ${round} of ${flags.rounds}`);
    const count = (name: string, sample: Promise<Sample>) => {
      if (round > 0) runs.get(name)!.push(sample);
    };
    count("bare pod", (await runBarePod(client, "default")).sample);
    for (const contender of contenders) count(contender.name, (await runWorkflow(client, contender)).sample);
  }
  const weights = new Map<string, PodWeight[]>(names.map((name) => [name, []]));
  for (let round = 0; round < Number(flags.weighings); round++) {
    for (const contender of contenders) {
      const weight = await weigh(client, contender);
      if (weight) weights.get(contender.name)!.push(weight);
    }
  }
  return await Promise.all(
    [...runs].map(async ([name, samples]) => ({
      name,
      samples: await Promise.all(samples),
      weights: weights.get(name)!,
    })),
  );
}

async function machine(): Promise<string> {
  type Node = { status: { nodeInfo: { kubeletVersion: string; containerRuntimeVersion: string } } };
  const [node] = (await client.list<Node>(NODES, undefined)).items;
  const info = node?.status.nodeInfo;
  return `${navigator.hardwareConcurrency} cores, Kubernetes ${info?.kubeletVersion}, ${info?.containerRuntimeVersion}; ` +
    `medians of ${flags.rounds} (fastest–slowest), memory of ${flags.weighings}`;
}
