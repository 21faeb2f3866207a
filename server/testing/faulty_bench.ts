/** A server whose cluster fails as a test demands, for tests of failures of the cluster. */
import type { TransportResponse } from "@tiphys/kube/connections";
import type { AuthModeName } from "../gate/modes.ts";
import { type BenchOptions, type ServerBench, serverBench } from "./server_bench.ts";

/**
 * Returns the response to a request to the cluster, or undefined for the cluster's own, which `next` returns. Throwing
 * simulates a broken connection.
 */
export type Fault = (
  method: string,
  path: string,
  next: () => Promise<TransportResponse>,
) => Response | undefined | Promise<TransportResponse>;

/** Starts the server. Requests of the administrator have no faults. */
export function faultyBench(
  fault: Fault,
  modes: readonly AuthModeName[] = ["server"],
  options: BenchOptions = {},
): Promise<ServerBench> {
  return serverBench(modes, options, (transport) => ({
    ...transport,
    fetch: async (path, init) => {
      const next = () => transport.fetch(path, init);
      return await fault(init?.method ?? "GET", path, next) ?? next();
    },
    webSocket: (path, protocols) => transport.webSocket(path, protocols),
    close: () => transport.close(),
  }));
}
