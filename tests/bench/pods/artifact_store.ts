/** An artifact store that the pods of a cluster can reach, with artifacts as inputs of workflows. */
import { contractSecrets, driverAt, serveVersitygw, settingsAt } from "../../artifacts/servers/s3.ts";
import { makeContent, nameOf } from "../artifacts/contents.ts";
import type { ClusterUnderTest } from "../../install/mod.ts";

/** An artifact in the store. */
export interface StoredArtifact {
  /** Its printed size. */
  readonly name: string;
  readonly bytes: number;
  /** Its location, as in a template. */
  readonly s3: Readonly<Record<string, unknown>>;
}

/** A store with artifacts of the requested sizes. */
export interface ArtifactStore extends AsyncDisposable {
  readonly artifacts: readonly StoredArtifact[];
  /** The Secret that the locations refer to. */
  readonly secret: object;
}

/** Starts versitygw in the network of the cluster's node, and stores a file of each size (bytes). */
export async function startArtifactStore(
  { hostNetwork }: ClusterUnderTest,
  sizes: readonly number[],
): Promise<ArtifactStore> {
  if (!hostNetwork) throw new Error("the cluster has no known network outside of it that pods can reach");
  const serving = await serveVersitygw(hostNetwork);
  try {
    const settings = settingsAt(serving.port, { endpoint: `${hostNetwork.address}:${serving.port}` });
    const artifacts: StoredArtifact[] = [];
    for (const bytes of sizes) {
      const key = `bytes-${bytes}`;
      await putObject(settings, key, bytes, serving.folder);
      artifacts.push({ name: nameOf({ kind: "big", bytes }), bytes, s3: { ...settings, key } });
    }
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, stringData: contractSecrets() };
    return { artifacts, secret, [Symbol.asyncDispose]: () => serving[Symbol.asyncDispose]() };
  } catch (error) {
    await serving[Symbol.asyncDispose]();
    throw error;
  }
}

async function putObject(settings: StoredArtifact["s3"], key: string, bytes: number, folder: string): Promise<void> {
  const path = `${folder}/content`;
  await makeContent({ kind: "big", bytes }, path);
  const made = { ...settings, createBucketIfNotPresent: {} };
  const driver = await driverAt(made);
  try {
    const place = { store: "s3", key, settings: made };
    await driver.write(place, ReadableStream.from(fileParts(path)), new AbortController().signal);
  } finally {
    await driver.close?.();
    await Deno.remove(path);
  }
}

async function* fileParts(path: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  using file = await Deno.open(path);
  for (;;) {
    const part = new Uint8Array(1 << 20);
    const read = await file.read(part);
    if (read === null) return;
    yield part.subarray(0, read);
  }
}
