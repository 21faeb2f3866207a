/** The stores of a server: an archive in a file, and artifacts in the embedded store. */
import { ALLOW_ALL } from "@tiphys/base/net";
import type { Artifact, ArtifactRepository, NodeStatus, Workflow } from "@tiphys/model/api";
import { OpenArchive } from "@tiphys/storage/archive";
import { systemClock } from "@tiphys/base/clock";
import type { KubeClient, KubeObject } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { openArtifact } from "@tiphys/service/artifacts";
import type { ApiServer } from "../../../local/api/mod.ts";
import { serveArtifacts } from "../../../local/embedded_artifacts.ts";
import { ArchiveSource } from "../../../server/archive/archive_source.ts";

/** The content of artifacts, by `ARTIFACT`, or `ARTIFACT/PATH` for a file in a folder. */
export type ArtifactFiles = Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;

/** Open stores. Disposing them closes them and removes their files. */
export interface Stores extends AsyncDisposable {
  /** The archive from which the server reads. */
  readonly source: ArchiveSource;
  /** The default artifact repository. */
  readonly repository: ArtifactRepository;
  archive(run: KubeObject): Promise<void>;
  /** Writes files to the store, and returns the run with a node `main` that has them as output artifacts. */
  withArtifacts(client: KubeClient, run: KubeObject, files: ArtifactFiles): Promise<KubeObject>;
}

/** Opens the stores in a new temporary folder. */
export async function openStores(api: ApiServer): Promise<Stores> {
  await using opened = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "tiphys-feed-" });
  opened.defer(() => Deno.remove(folder, { recursive: true }));
  const settings = { archive: true, sqlite: { file: `${folder}/archive.db` } };
  const secret = () => Promise.reject(new Error("a database file needs no secret"));
  const archive = opened.use(await OpenArchive.open(settings, { clock: systemClock, log: silentLog, secret }));
  const source = opened.use(new ArchiveSource({ settings, log: silentLog, secret }));
  const store = opened.use(await serveArtifacts(api, { dataDir: folder }));
  const all = opened.move();
  return {
    source,
    repository: store.repository,
    archive: (run) => archive.archive(run as unknown as Workflow),
    withArtifacts: (client, run, files) => withArtifacts(client, run, { files, repository: store.repository }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Writes files to the store, and returns the run with a node `main` that has them as output artifacts. */
export async function withArtifacts(
  client: KubeClient,
  run: KubeObject,
  { files, repository }: { readonly files: ArtifactFiles; readonly repository: ArtifactRepository },
): Promise<KubeObject> {
  const names = [...new Set(Object.keys(files).map((key) => key.split("/")[0]!))];
  const artifacts = names.map((name) => ({ name, s3: { key: name } }) as Artifact);
  const workflow = { ...run, status: statusWith(run, artifacts, repository) } as unknown as Workflow;
  for (const [key, content] of Object.entries(files)) {
    const choice = { nodeId: "main", artifactName: key.split("/")[0]! };
    await using artifact = await openArtifact(client, workflow, choice, { reach: ALLOW_ALL });
    if (!("write" in artifact.driver)) throw new TypeError("expected a store of objects");
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const place = { ...artifact.place, key };
    await artifact.driver.write(place, ReadableStream.from([bytes]), new AbortController().signal);
  }
  return workflow as unknown as KubeObject;
}

function statusWith(run: KubeObject, artifacts: readonly Artifact[], artifactRepository: unknown) {
  const status = (run as unknown as Workflow).status ?? {};
  const { startedAt, finishedAt } = status;
  const main = {
    id: "main",
    name: run.metadata.name ?? "",
    displayName: "main",
    type: "Pod",
    phase: "Succeeded",
    templateName: "main",
    startedAt,
    finishedAt,
    outputs: { artifacts },
  } as NodeStatus;
  return { ...status, artifactRepositoryRef: { artifactRepository }, nodes: { main } };
}
