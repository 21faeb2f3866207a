/** A transport whose requests are aborted by a signal. */
import type { Transport } from "./transport.ts";

/**
 * Returns a transport whose requests are aborted by `stop`, so that an unresponsive cluster does not delay a shutdown.
 */
export function abortableTransport(transport: Transport, stop: AbortSignal): Transport {
  return {
    fetch: (path, init) =>
      transport.fetch(path, { ...init, signal: init?.signal ? AbortSignal.any([stop, init.signal]) : stop }),
    webSocket: (path, protocols) => transport.webSocket(path, protocols),
    close: () => transport.close(),
  };
}
