/** Serves the page of this machine on a loopback port. The API behind it starts on its first request. */
import { addressPolicy, ALLOWED_ADDRESSES } from "@tiphys/base/net";
import type { Transport } from "@tiphys/kube";
import type { OffloadedNodes } from "@tiphys/model/nodes";
import type { Log } from "@tiphys/base/log";
import type { Handler } from "./wire/peer.ts";
import { listen, type Listening } from "./listen/listen.ts";
import { startServer } from "./start.ts";
import { localGate } from "./page/local_gate.ts";
import { API_DOCUMENTS } from "./api_documents.ts";
import { docsFolder } from "./page/docs.ts";
import { makePage } from "./page/page.ts";
import { pageFolder } from "./page/page_folder.ts";
import { randomSecret } from "./page/tickets.ts";

/** The settings of the local page. */
export interface LocalPageOptions {
  readonly transport: Transport;
  /** The folder for cached files. */
  readonly cacheDir: string;
  /** Ports to try in order; 0 means any free port. */
  readonly ports: readonly number[];
  /** The store of offloaded nodes. */
  readonly offloaded?: OffloadedNodes | undefined;
  /** The instance whose workflows are shown; if undefined, those without an instance. */
  readonly instanceId?: string | undefined;
  /** The `HOST:PORT` of the embedded store, the only server on this machine from which artifacts may be read. */
  readonly store?: string | undefined;
  readonly log: Log;
}

/** A running local page. */
export interface LocalPage {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string;
  /** The key with which programs of this user request tickets. */
  readonly key: string;
  /** A link to the page, valid until it is closed. `path` begins without a slash. */
  link(path?: string): string;
  close(): Promise<void>;
}

/**
 * Serves the page.
 * @throws {Error} if none of the ports is free.
 */
export async function serveLocalPage(
  { transport, cacheDir, ports, offloaded, instanceId, store, log }: LocalPageOptions,
): Promise<LocalPage> {
  const stop = new AbortController();
  let started: Promise<Handler> | undefined;
  const api: Handler = async (request, peer) => {
    const parts = {
      own: transport,
      anonymous: transport,
      modes: new Set(["server"] as const),
      offloaded,
      instanceId,
      reach: addressPolicy({ allowed: [store ?? "", Deno.env.get(ALLOWED_ADDRESSES) ?? ""].join(",") }),
      log,
    };
    started ??= startServer(parts, stop.signal)
      .catch((error) => {
        started = undefined;
        throw error;
      });
    return await (await started)(request, peer);
  };
  const key = randomSecret();
  let port = 0;
  const gate = localGate({
    port: () => port,
    api,
    page: makePage({
      folder: () => pageFolder(cacheDir),
      docs: () => docsFolder(),
      baseHref: "/",
      login: "ticket",
      xFrameOptions: "DENY",
      documents: API_DOCUMENTS,
    }),
    key,
    now: () => Date.now(),
  });
  const handler: Handler = async (request, peer) => {
    try {
      return await gate.handler(request, peer);
    } catch (error) {
      log.error("The page could not be served", { error: error instanceof Error ? error.message : String(error) });
      return new Response("The page could not be served; see the log in the terminal\n", { status: 500 });
    }
  };
  const onError = (error: unknown) => log.debug("A connection ended", { error: String(error) });
  const listening = await listenOnOne(ports, (port) => listen({ hostname: "127.0.0.1", port: port, handler, onError }));
  port = listening.port;
  const url = `http://127.0.0.1:${port}/`;
  return {
    url,
    key,
    link: (path = "") => `${url}${path}#ticket=${gate.ticket}`,
    async close() {
      stop.abort();
      await listening.close();
    },
  };
}

async function listenOnOne(ports: readonly number[], open: (port: number) => Promise<Listening>): Promise<Listening> {
  for (const [index, port] of ports.entries()) {
    try {
      return await open(port);
    } catch (error) {
      const isTaken = error instanceof Deno.errors.AddrInUse;
      if (!isTaken || index === ports.length - 1) throw error;
    }
  }
  throw new Error("Expected a port to listen on");
}
