/**
 * Clients that leave with GOAWAY, against a server in a separate process. The C library fills freed memory with a
 * pattern there, so that a session which is used after it was freed ends the process every time.
 */
import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { END_HEADERS, END_STREAM, frame, GET, GOAWAY, HEADERS, PREFACE, SETTINGS } from "./testing/frames.ts";

Deno.test("listen(): a client that leaves with GOAWAY does not end the server", async () => {
  const server = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", join(import.meta.dirname!, "testing/goaway_target.ts")],
    env: { GLIBC_TUNABLES: "glibc.malloc.perturb=165" },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const output = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const port = Number((await output.read()).value);
  for (const code of [0, 2]) {
    using client = await Deno.connect({ hostname: "127.0.0.1", port });
    await client.write(PREFACE);
    await client.write(frame(SETTINGS, 0, 0));
    await client.write(frame(HEADERS, END_STREAM | END_HEADERS, 1, GET));
    // The answer begins.
    await client.read(new Uint8Array(1024));
    await client.write(frame(GOAWAY, 0, 0, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, code)));
    while (await client.read(new Uint8Array(1024)) !== null);
  }
  assertEquals(await (await fetch(`http://127.0.0.1:${port}/`)).text(), "answered");
  await output.cancel();
  await server.stdin.close();
  assertEquals((await server.status).code, 0);
});
