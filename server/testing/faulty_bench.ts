/** A server whose cluster answers as a test says, for tests of what becomes of the cluster's trouble. */
import { type Answer, httpTransport, KubeClient, type Transport } from "../../lib/kube/mod.ts";
import { createApiServer } from "../../local/api/mod.ts";
import type { AuthModeName } from "../gate/modes.ts";
import { type BenchOptions, benchOver, type ServerBench } from "./server_bench.ts";

/**
 * The cluster's answer to a request, instead of its own, which `next` gives; undefined lets it answer. What it throws is a
 * broken connection.
 */
export type Fault = (
  method: string,
  path: string,
  next: () => Promise<Answer>,
) => Response | undefined | Promise<Answer>;

/** Starts one. The administrator of the cluster meets no faults. */
export async function faultyBench(
  fault: Fault,
  modes: readonly AuthModeName[] = ["server"],
  options: BenchOptions = {},
): Promise<ServerBench> {
  const api = createApiServer({ storePath: ":memory:", roles: true });
  const served = await api.serve();
  const credentials = () => Promise.resolve({ headers: { authorization: `Bearer ${served.token}` } });
  const faulty = (transport: Transport): Transport => ({
    ...transport,
    fetch: async (path, init) => {
      const next = () => transport.fetch(path, init);
      return await fault(init?.method ?? "GET", path, next) ?? next();
    },
    webSocket: (path, protocols) => transport.webSocket(path, protocols),
    close: () => transport.close(),
  });
  const own = httpTransport({ server: served.url, credentials });
  const bench = await benchOver(
    {
      own: faulty(own),
      anonymous: faulty(httpTransport({ server: served.url, asksAgain: false })),
      admin: new KubeClient(own),
    },
    modes,
    options,
  );
  return {
    ...bench,
    api,
    async [Symbol.asyncDispose]() {
      await bench[Symbol.asyncDispose]();
      await served.close();
      api.close();
    },
  };
}
