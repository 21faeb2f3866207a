/** The server read the whole body of a request, of any size, before it authenticated the client. */
import { assert, assertEquals } from "@std/assert";
import { createApiServer } from "../../local/api/mod.ts";

const CHUNK = new Uint8Array(64 * 1024).fill(0x20);
const MAX_BYTES = 64 * 1024 * 1024;

/** Sends an endless body until a response arrives. Returns the bytes sent and the status line of the response. */
async function sendEndless(port: number, head: string): Promise<{ sent: number; answer: string }> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(head));
  let sent = 0;
  let isAnswered = false;
  const sending = (async () => {
    const part = new Uint8Array([...new TextEncoder().encode("10000\r\n"), ...CHUNK, 13, 10]);
    while (!isAnswered && sent < MAX_BYTES) sent += await connection.write(part);
  })().catch(() => {});
  const buffer = new Uint8Array(4096);
  const read = await connection.read(buffer);
  isAnswered = true;
  await sending;
  return { sent, answer: new TextDecoder().decode(buffer.subarray(0, read ?? 0)).replace(/\r\n.*/s, "") };
}

Deno.test("CVE-2026-42294: a request without a valid token is rejected before its body is read, and other bodies have a limit", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const served = await api.serve(0);
  const port = Number(new URL(served.url).port);
  const request = (token: string) =>
    `POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n` +
    `${token === "" ? "" : `authorization: Bearer ${token}\r\n`}transfer-encoding: chunked\r\n\r\n`;
  try {
    for (const [token, status] of [["", 401], ["wrong", 401], [served.token, 413]] as const) {
      const { sent, answer } = await sendEndless(port, request(token));
      assertEquals(answer.split(" ")[1], String(status), answer);
      assert(sent < MAX_BYTES, `the server accepted ${sent} bytes`);
    }
  } finally {
    await served.close();
    api.close();
  }
});
