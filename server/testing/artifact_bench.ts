/** A server with an archive and an artifact store, for tests. */
import { ALLOW_ALL } from "@tiphys/base/net";
import type { Artifact, Workflow } from "@tiphys/model/api";
import type { WorkflowArchive } from "@tiphys/storage/archive";
import { WORKFLOWS } from "@tiphys/kube";
import { openArtifact } from "@tiphys/service/artifacts";
import { serveArtifacts } from "../../local/embedded_artifacts.ts";
import { archiveBench, endedWorkflow } from "./archive_bench.ts";
import { NAMESPACE, type ServerBench } from "./server_bench.ts";

/** The server, and the stores that it reads. */
export interface ArtifactBench extends AsyncDisposable {
  readonly server: ServerBench;
  /** Contains a copy of the workflow named "old". */
  readonly archive: WorkflowArchive;
  readonly store: Awaited<ReturnType<typeof serveArtifacts>>;
}

/** Starts a server with a store, and a workflow "w" whose node "w" has these files as outputs. */
export async function artifactBench(
  files: Readonly<Record<string, string>>,
  modes: readonly ("client" | "server")[] = ["server"],
): Promise<ArtifactBench> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await Deno.makeTempDir({ prefix: "artifacts-" });
  opened.defer(() => Deno.remove(dataDir, { recursive: true }));
  const bench = opened.use(await archiveBench(modes));
  const store = opened.use(await serveArtifacts(bench.server.api, { dataDir }));
  const workflow = withArtifacts(endedWorkflow("w", 1), store.repository, Object.keys(files));
  for (const [name, content] of Object.entries(files)) {
    await using artifact = await openArtifact(bench.server.admin, workflow, {
      nodeId: "w",
      artifactName: nameOf(name),
    }, { reach: ALLOW_ALL });
    if (!("write" in artifact.driver)) throw new TypeError("expected a store of objects");
    const bytes = new TextEncoder().encode(content);
    const place = { ...artifact.place, key: name };
    await artifact.driver.write(place, ReadableStream.from([bytes]), new AbortController().signal);
  }
  const { uid: _, ...metadata } = workflow.metadata;
  await bench.server.admin.create(WORKFLOWS, NAMESPACE, { ...workflow, metadata });
  await bench.archive.archive({ ...workflow, metadata: { ...workflow.metadata, name: "old", uid: "uid-old" } });
  const all = opened.move();
  return {
    server: bench.server,
    archive: bench.archive,
    store,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** An artifact is named after the first segment of its key: all keys with the same one are one folder. */
function nameOf(key: string): string {
  return key.split("/")[0]!;
}

function withArtifacts(workflow: Workflow, artifactRepository: unknown, keys: readonly string[]): Workflow {
  const artifacts: Artifact[] = [...new Set(keys.map(nameOf))].map((name) => ({ name, s3: { key: name } } as Artifact));
  const { w } = workflow.status!.nodes!;
  return {
    ...workflow,
    status: {
      ...workflow.status,
      artifactRepositoryRef: { artifactRepository },
      nodes: { w: { ...w!, inputs: { artifacts }, outputs: { artifacts } } },
    },
  } as Workflow;
}
