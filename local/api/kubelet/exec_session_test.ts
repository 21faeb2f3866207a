import { assertEquals } from "@std/assert";
import type { WebSocketLike } from "@tiphys/kube/connections";
import { serveExec } from "./exec_session.ts";

/** A socket that is closed when `closed` returns true, and then behaves like Deno's. */
function testSocket(closed: () => boolean): WebSocketLike & { readonly sent: number[] } {
  const sent: number[] = [];
  return {
    binaryType: "arraybuffer",
    protocol: "",
    onopen: null,
    onmessage: null,
    onerror: null,
    onclose: null,
    sent,
    send(data) {
      if (closed()) throw new DOMException("'readyState' not OPEN", "InvalidStateError");
      sent.push((data as Uint8Array)[0]!);
    },
    close() {},
  };
}

const RESULT = { exitCode: 0, stdout: "out", stderr: "err" };

Deno.test("serveExec: sends output, errors and status on their channels", async () => {
  const socket = testSocket(() => false);
  await serveExec(socket, () => Promise.resolve(RESULT));
  assertEquals(socket.sent, [1, 2, 3]);
});

Deno.test("serveExec: does not fail if the client disconnects before the command ends", async () => {
  let gone = false;
  const socket = testSocket(() => gone);
  await serveExec(socket, () => {
    gone = true;
    return Promise.resolve(RESULT);
  });
  await serveExec(socket, () => Promise.reject(new Error("no such container")));
  assertEquals(socket.sent, []);
});
