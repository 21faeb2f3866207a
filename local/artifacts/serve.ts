/** Serves the embedded store on loopback, on a stable port, because the statuses of workflows contain its address. */
import { EMBEDDED_STORE } from "@tiphys/base/constants";
import type { ArtifactRepository } from "@tiphys/model/api";
import { openGate } from "../api/access/gate.ts";
import type { ArtifactStore } from "./artifact_store.ts";
import { ANSWERED_WITHIN_MS, MAX_CONNECTIONS, MAX_REQUESTS } from "./limits.ts";
import { s3Handler } from "./s3_handler.ts";

/** A running server of a store. */
export interface ServedStore extends AsyncDisposable {
  readonly port: number;
  /** The default artifact repository. */
  readonly repository: ArtifactRepository;
}

/** Receivers of notices and errors. */
export interface ServeOptions {
  readonly onNotice?: (text: string) => void;
  readonly onError?: (subject: string, error: unknown) => void;
}

/** Serves a store on 127.0.0.1. Disposing the server does not close the store. */
export async function serveStore(store: ArtifactStore, options: ServeOptions = {}): Promise<ServedStore> {
  const { listener, port } = listen(store, options.onNotice);
  const folder = await Deno.makeTempDir({ prefix: "tiphys-artifacts-" });
  const answer = limitConcurrency(
    MAX_REQUESTS,
    s3Handler({ store, ...(options.onError && { onError: options.onError }) }),
  );
  const gate = openGate({
    listener,
    folder,
    answer,
    maxConnections: MAX_CONNECTIONS,
    answeredWithinMs: ANSWERED_WITHIN_MS,
  });
  return {
    port,
    repository: createRepository(port),
    async [Symbol.asyncDispose]() {
      await gate[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/**
 * Listens on the saved port. The first time, it chooses a free port and saves it. If the saved port is in use, it uses
 * another.
 */
function listen(store: ArtifactStore, onNotice: ((text: string) => void) | undefined) {
  const hostname = "127.0.0.1";
  const last = Number(store.index.setting("port", () => "0"));
  try {
    const listener = Deno.listen({ hostname, port: last });
    const { port } = listener.addr;
    if (last === 0) store.index.changeSetting("port", `${port}`);
    return { listener, port };
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    onNotice?.(
      `Another program listens on port ${last}, on which artifacts were served: the artifacts of earlier workflows are ` +
        "unavailable until it ends",
    );
    const listener = Deno.listen({ hostname, port: 0 });
    return { listener, port: listener.addr.port };
  }
}

function createRepository(port: number): ArtifactRepository {
  const { bucket, region, secret: { name, accessKey, secretKey } } = EMBEDDED_STORE;
  return {
    s3: {
      endpoint: `127.0.0.1:${port}`,
      bucket,
      region,
      insecure: true,
      accessKeySecret: { name, key: accessKey },
      secretKeySecret: { name, key: secretKey },
    },
  };
}

/** Limits the number of concurrent requests; others wait. */
function limitConcurrency(
  count: number,
  answer: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (request) => {
    if (free > 0) free--;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await answer(request);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
