/** The embedded store of a cluster: its artifacts, served, and the Secret of every namespace with the keys to them. */
import type { createApiServer } from "./api/mod.ts";
import type { ArtifactRepository } from "@tiphys/model/api";
import { ArtifactStore, credentialsSecret, serveStore } from "./artifacts/mod.ts";
import { artifactsFolder } from "./data_folder.ts";

/** The folder, limit and receivers of messages for the artifacts of an embedded cluster. */
export interface ArtifactOptions {
  readonly dataDir: string;
  /** Bytes that all of them may have. */
  readonly artifactBytes?: number;
  readonly onNotice?: (text: string) => void;
  readonly onError?: (what: string, error: unknown) => void;
}

/** Artifacts that are served until it is disposed of. */
export interface EmbeddedArtifacts extends AsyncDisposable {
  readonly repository: ArtifactRepository;
}

/** Serves the artifacts of a cluster whose API this process has. */
export async function serveArtifacts(
  api: ReturnType<typeof createApiServer>,
  { dataDir, artifactBytes, ...options }: ArtifactOptions,
): Promise<EmbeddedArtifacts> {
  await using opened = new AsyncDisposableStack();
  const limit = artifactBytes === undefined ? {} : { limitBytes: artifactBytes };
  const store = opened.use(await ArtifactStore.open({ folder: artifactsFolder(dataDir), ...limit }));
  const served = opened.use(await serveStore(store, options));
  let isOpen = true;
  opened.defer(() => {
    isOpen = false;
  });
  api.furnish({
    objects: (namespace) => isOpen ? [credentialsSecret(store, namespace, served.repository.s3?.endpoint)] : [],
    known: () => isOpen ? store.index.namespaces() : [],
    onGone(namespace) {
      if (isOpen) store.forget(store.index.forgetNamespace(namespace));
    },
  });
  const all = opened.move();
  return { repository: served.repository, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
