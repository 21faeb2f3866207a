/** A server whose cluster answers as a test says, for tests of what becomes of the cluster's trouble. */
import type { Answer } from "@tiphys/kube";
import type { AuthModeName } from "../gate/modes.ts";
import { type BenchOptions, type ServerBench, serverBench } from "./server_bench.ts";

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
