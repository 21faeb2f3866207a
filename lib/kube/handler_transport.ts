/** A transport without a network: the server is a function in this process. */

import type { Transport, WebSocketLike } from "./transport.ts";

const origin = "http://kubernetes.internal";

/**
 * Speaks to `handler` directly. `openSocket` answers WebSocket requests (exec); without it they are refused.
 * Closing it does nothing: the owner of the handler closes that.
 */
export function handlerTransport(
  handler: (request: Request) => Promise<Response>,
  openSocket?: (path: string, protocols: string[]) => Promise<WebSocketLike>,
): Transport {
  return {
    async fetch(path, init) {
      init?.signal?.throwIfAborted();
      return await handler(new Request(origin + path, init));
    },
    webSocket(path, protocols) {
      if (!openSocket) return Promise.reject(new TypeError(`No WebSocket can be opened for ${path} in this process`));
      return openSocket(path, protocols);
    },
    close() {},
  };
}
