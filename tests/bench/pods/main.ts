/**
 * `deno task bench pods`: measures what a pod of ours costs on a real cluster, compared with a bare pod and, if its
 * command is given, with another implementation of the same API. All contenders are measured in turns. Prints a table;
 * `--json FILE` writes every sample.
 *
 * - `settings.ts`, `contender.ts`: the settings and the controllers
 * - `run.ts`: one measured run; `memory.ts`: the memory of processes
 * - `artifact_store.ts`: a store with artifacts, which are inputs of workflows with `--artifact`
 * - `report.ts`: medians
 */
import { parseArgs } from "node:util";
import { KubeClient, NODES } from "@tiphys/kube";
import { connectKubeconfig } from "@tiphys/kube/connections";
import { buildImages } from "../../../scripts/build.ts";
import { IMAGE_PACKAGES } from "../../../scripts/build_git.ts";
import { clusterSettings, ensureDebianPackages } from "../../cluster/mod.ts";
import { testImage } from "../../images/mod.ts";
import { applyCrds, type ClusterUnderTest, FAST_COMPRESSION, findCluster } from "../../install/mod.ts";
import { startArtifactStore, type StoredArtifact } from "./artifact_store.ts";
import { type Contender, otherContender, ourContender, startContender } from "./contender.ts";
import { measureMemory, type PodMemory } from "./memory.ts";
import { type ContenderResults, tableOf } from "./report.ts";
import { runBarePod, runWorkflow, type Sample } from "./run.ts";
import { USER_IMAGE } from "./settings.ts";

const USAGE = `Usage: deno task bench pods [--rounds 20] [--weighings 5] [--artifact BYTES]... [--json FILE]
         [--peer-controller COMMAND --peer-image IMAGE [--peer-archive FILE | --peer-argoexec FILE]]
  --artifact         also run each workflow with an input artifact of this size, such as 2e8; memory is not measured
                     then, and pods of one container are left out, because they cannot have artifacts
  --peer-controller  command line of another controller, to which flags of the argo workflow-controller are added
  --peer-image       name of its executor image
  --peer-archive     that image as an OCI archive, if the cluster does not have it yet
  --peer-argoexec    program argoexec from which to build that image`;

const ROOT = new URL("../../../", import.meta.url).pathname;

const { values: flags } = parseArgs({
  options: {
    "rounds": { type: "string", default: "20" },
    "weighings": { type: "string", default: "5" },
    "artifact": { type: "string", multiple: true, default: [] },
    "json": { type: "string" },
    "peer-controller": { type: "string" },
    "peer-image": { type: "string" },
    "peer-archive": { type: "string" },
    "peer-argoexec": { type: "string" },
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
await applyCrds(cluster.kubectl);
await loadImages(cluster);
const sizes = flags.artifact.map(bytesOf);
await using store = sizes.length > 0 ? await startArtifactStore(cluster, sizes) : undefined;
await using contenders = new AsyncDisposableStack();
const started: Contender[] = [];
for (const options of contenderOptions()) {
  const contender = contenders.use(await startContender(cluster, options));
  if (store) await cluster.kubectl.apply(contender.namespace, store.secret);
  started.push(contender);
}
const measured = await measure(started, store?.artifacts ?? []);
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
  const peer = flags["peer-argoexec"] ? await imageOf(flags["peer-argoexec"]) : flags["peer-archive"];
  if (peer) await cluster.load(peer, flags["peer-image"]!);
}

/** Builds an image with a program `argoexec` and little else. */
async function imageOf(program: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "tiphys-bench-peer-" });
  try {
    await Deno.mkdir(`${folder}/usr/bin`, { recursive: true });
    await Deno.copyFile(program, `${folder}/usr/bin/argoexec`);
    await Deno.chmod(`${folder}/usr/bin/argoexec`, 0o755);
    const entrypoint = ["argoexec"];
    return await testImage(clusterSettings().cache, { root: "debian", overlays: [folder], entrypoint });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** @throws {Error} when the text is not a number of bytes. */
function bytesOf(text: string): number {
  const bytes = Number(text);
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw new Error(`expected a number of bytes for --artifact, got ${JSON.stringify(text)}`);
}

function contenderOptions() {
  const layouts = ["initless", "legacy"] as const;
  const command = flags["peer-controller"]?.split(" ");
  const own = ["initless", ...sizes.length > 0 ? [] : ["single-container"] as const, "legacy"] as const;
  return [
    ...own.map((layout, index) => ourContender(layout, 16061 + index)),
    ...(command ? layouts.map((layout) => otherContender(layout, command, flags["peer-image"]!)) : []),
  ];
}

/** In turns, so that other load on the machine affects all alike. The first turn pulls images and is not counted. */
async function measure(
  contenders: readonly Contender[],
  artifacts: readonly StoredArtifact[],
): Promise<ContenderResults[]> {
  const inputs = [undefined, ...artifacts];
  const nameWith = ({ name }: Contender, input?: StoredArtifact) => input ? `${name}, ${input.name}` : name;
  const names = ["bare pod", ...inputs.flatMap((input) => contenders.map((contender) => nameWith(contender, input)))];
  const runs = new Map<string, Promise<Sample>[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= Number(flags.rounds); round++) {
    console.error(round === 0 ? "Warming up" : `Round ${round} of ${flags.rounds}`);
    const count = (name: string, sample: Promise<Sample>) => {
      if (round > 0) runs.get(name)!.push(sample);
    };
    count("bare pod", (await runBarePod(client, "default")).sample);
    for (const input of inputs) {
      for (const contender of contenders) {
        count(nameWith(contender, input), (await runWorkflow(client, contender, input)).sample);
      }
    }
  }
  const weights = new Map<string, PodMemory[]>(names.map((name) => [name, []]));
  const weighings = artifacts.length > 0 ? 0 : Number(flags.weighings);
  for (let round = 0; round < weighings; round++) {
    for (const contender of contenders) {
      const weight = await measureMemory(client, contender);
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
    `medians of ${flags.rounds} (fastest–slowest)${sizes.length > 0 ? "" : `, memory of ${flags.weighings}`}`;
}
