/**
 * The embedded artifact store of a cluster: serves artifacts, and provides a Secret with credentials in every
 * namespace.
 */
import type { createApiServer } from "./api/mod.ts";
import type { ArtifactRepository } from "@tiphys/model/api";
import { ArtifactStore, credentialsSecret, serveStore } from "./artifacts/mod.ts";
import { artifactsFolder } from "./data_files.ts";

/** Options of the embedded artifact store. */
export interface ArtifactOptions {
  readonly dataDir: string;
  /** Maximum total size of artifacts, in bytes. */
  readonly artifactBytes?: number;
  readonly onNotice?: (text: string) => void;
  readonly onError?: (subject: string, error: unknown) => void;
}

/** A running embedded artifact store; disposing it stops it. */
export interface EmbeddedArtifacts extends AsyncDisposable {
  readonly repository: ArtifactRepository;
}

/** Serves the artifacts of a cluster whose API server runs in this process. */
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
  api.createInNamespaces({
    objects: (namespace) => isOpen ? [credentialsSecret(store, namespace, served.repository.s3?.endpoint)] : [],
    knownNamespaces: () => isOpen ? store.index.namespaces() : [],
    onNamespaceDeleted(namespace) {
      if (isOpen) store.removeUnused(store.index.forgetNamespace(namespace));
    },
  });
  const all = opened.move();
  return { repository: served.repository, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
