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
    async fetch(path, init = {}) {
      init.signal?.throwIfAborted();
      const response = await handler(new Request(origin + path, init));
      return init.signal && response.body ? abortable(response, response.body, init.signal) : response;
    },
    webSocket(path, protocols) {
      if (!openSocket) return Promise.reject(new TypeError(`No WebSocket can be opened for ${path} in this process`));
      return openSocket(path, protocols);
    },
    close() {},
  };
}

/** As over a network: aborting breaks off the body, and its maker learns that nobody reads any more. */
function abortable(response: Response, body: ReadableStream<Uint8Array>, signal: AbortSignal): Response {
  const reader = body.getReader();
  let abort = () => {};
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      abort = () => {
        controller.error(signal.reason);
        reader.cancel(signal.reason).catch(() => {});
      };
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (signal.aborted) return;
      if (!done) return controller.enqueue(value);
      signal.removeEventListener("abort", abort);
      controller.close();
    },
    cancel(reason) {
      signal.removeEventListener("abort", abort);
      return reader.cancel(reason);
    },
  });
  return new Response(stream, { status: response.status, headers: response.headers });
}
