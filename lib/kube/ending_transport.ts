/** A transport whose requests end with a signal. */
import type { Transport } from "./transport.ts";

/** The transport, asked no longer than until the signal is aborted: a cluster that says nothing keeps nobody from stopping. */
export function endingTransport(transport: Transport, stop: AbortSignal): Transport {
  return {
    fetch: (path, init) =>
      transport.fetch(path, { ...init, signal: init?.signal ? AbortSignal.any([stop, init.signal]) : stop }),
    webSocket: (path, protocols) => transport.webSocket(path, protocols),
    close: () => transport.close(),
  };
}
