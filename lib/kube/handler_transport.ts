/** A transport without a network: the server is a function in this process. */

import type { Transport, WebSocketLike } from "./transport.ts";

const origin = "http://kubernetes.internal";

/**
 * Returns a transport that calls `handler`. `openSocket` opens WebSockets (exec); without it they are rejected. Closing
 * the transport has no effect, because the owner of the handler closes it.
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

/** Makes a response abortable, as over a network: aborting ends the body, and its producer is cancelled. */
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
