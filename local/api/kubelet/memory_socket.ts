/** A pair of connected sockets within this process. */

import type { WebSocketLike } from "@tiphys/kube/connections";

class MemorySocket implements WebSocketLike {
  binaryType = "arraybuffer";
  onopen: WebSocketLike["onopen"] = null;
  onmessage: WebSocketLike["onmessage"] = null;
  onerror: WebSocketLike["onerror"] = null;
  onclose: WebSocketLike["onclose"] = null;
  peer: MemorySocket | undefined;
  #closed = false;

  constructor(readonly protocol: string) {}

  send(data: string | Uint8Array<ArrayBuffer>): void {
    const content = typeof data === "string" ? data : data.slice().buffer;
    queueMicrotask(() => this.peer?.onmessage?.(new MessageEvent("message", { data: content })));
  }

  close(code = 1000, reason = ""): void {
    if (this.#closed) return;
    this.#closed = true;
    queueMicrotask(() => {
      this.onclose?.(new CloseEvent("close", { code, reason, wasClean: true }));
      this.peer?.close(code, reason);
    });
  }
}

/** Returns a connected pair. Each end receives in order what the other one sends. */
export function memorySocketPair(protocol: string): [WebSocketLike, WebSocketLike] {
  const near = new MemorySocket(protocol);
  const far = new MemorySocket(protocol);
  near.peer = far;
  far.peer = near;
  return [near, far];
}
