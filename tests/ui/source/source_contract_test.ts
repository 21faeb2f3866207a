/** The data sources for our server and for Argo's fulfill the same contract. */
import { abortableFetch, ALLOW_ALL } from "@tiphys/base/net";
import { stringify } from "yaml";
import { FakeWorld } from "../../../cli/testing/fake_world.ts";
import { WORKFLOWS } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { needs } from "../../../lib/base/testing/needs.ts";
import { serveArtifacts } from "../../../local/embedded_artifacts.ts";
import { listen } from "../../../server/listen/listen.ts";
import { startServer } from "../../../server/start.ts";
import { argoSource } from "../../../ui/api/argo_source.ts";
import { ARGO_PROGRAM, startArgoServer } from "../../argo_cli/argo_server.ts";
import { seededRun } from "../feed/feed.ts";
import { withArtifacts } from "../feed/stores.ts";
import { NAMESPACE, PROMISES, type SourceBench } from "./promises.ts";

/** The exit codes of pods, by node. */
function endOf(node: string) {
  if (node === "bad") return { exitCode: 1 };
  if (node === "slow") return { exitCode: undefined };
  return { exitCode: 0, log: "one\ntwo\n" };
}

/** Opens a bench with our server, in this process, or with Argo's own. */
async function openBench(parts: AsyncDisposableStack, isOurs: boolean): Promise<SourceBench> {
  const world = parts.use(new FakeWorld({ podEnds: endOf }));
  const cluster = await world.startLocalCluster({ dataDir: "", log: () => {}, verbose: false, onNotice: () => {} });
  parts.defer(() => cluster.close());
  const dataDir = await Deno.makeTempDir({ prefix: "tiphys-source-" });
  parts.defer(() => Deno.remove(dataDir, { recursive: true }));
  const { repository } = parts.use(await serveArtifacts(world.api, { dataDir }));
  const address = isOurs ? await startOurs(world, parts, repository) : parts.use(
    await startArgoServer(world.api, {
      authMode: "server",
      settings: { artifactRepository: stringify(repository) },
    }),
  ).address;
  const refused: string[] = [];
  return {
    world,
    isOurs,
    refused,
    source: argoSource({
      base: `${address}/`,
      authorization: () => undefined,
      async fetch(url, init) {
        const response = await abortableFetch(url, init);
        if (response.status >= 400) refused.push(`${response.status} ${new URL(url).pathname}`);
        return response;
      },
    }),
    async runWithArtifacts(name, files) {
      const run = seededRun(name, { phase: "Succeeded" });
      const placed = { ...run, metadata: { ...run.metadata, namespace: NAMESPACE } };
      const whole = await withArtifacts(world.client, placed, { files, repository });
      await world.client.create(WORKFLOWS, NAMESPACE, whole);
    },
  };
}

async function startOurs(
  world: FakeWorld,
  parts: AsyncDisposableStack,
  repository: Awaited<ReturnType<typeof serveArtifacts>>["repository"],
): Promise<string> {
  const stop = new AbortController();
  parts.defer(() => stop.abort());
  const transport = world.api.transport();
  const handler = await startServer({
    own: transport,
    anonymous: transport,
    modes: new Set(["server"]),
    artifactRepository: () => repository,
    reach: ALLOW_ALL,
    log: silentLog,
  }, stop.signal);
  const { port, close } = await listen({ hostname: "127.0.0.1", port: 0, handler });
  parts.defer(close);
  return `http://127.0.0.1:${port}`;
}

for (const isOurs of [true, false]) {
  const server = isOurs ? "our server" : "Argo's server";
  for (const { title, keep } of PROMISES) {
    Deno.test({
      ...needs("ARGO_CLI, Argo's program", isOurs || ARGO_PROGRAM !== undefined, `source of ${server}: ${title}`),
      async fn() {
        await using parts = new AsyncDisposableStack();
        await keep(await openBench(parts, isOurs));
      },
    });
  }
}
