/** Servers survive a shortage of file descriptors in their process, and clients that use up all of them. */
import { assertEquals } from "@std/assert";
import { needs } from "../../lib/base/testing/needs.ts";
import { awaitFact } from "../await_fact.ts";

/** Limit of file descriptors of the process. Low, so that it is reached quickly. */
const DESCRIPTORS = 80;

async function withProcess(
  args: readonly string[],
  use: (port: number, send: (word: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const script = new URL("process.ts", import.meta.url).pathname;
  const child = new Deno.Command("sh", {
    args: [
      "-c",
      `ulimit -n ${DESCRIPTORS}; exec "$@"`,
      "sh",
      Deno.execPath(),
      "run",
      "-A",
      "--no-check",
      script,
      ...args,
    ],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const words = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const orders = child.stdin.getWriter();
  try {
    const { value } = await words.read();
    await use(Number(value), async (word) => {
      await orders.write(new TextEncoder().encode(word));
      assertEquals((await words.read()).value?.trim(), word, "the process has ended");
    });
  } finally {
    // The process exits when its standard input is closed.
    await orders.close().catch(() => {});
    await words.cancel();
    await child.status;
  }
}

const WITHIN = { seconds: 120 };

/**
 * Whether the server answers within a number of seconds. The default is long because a TLS handshake is slow on a busy
 * machine; pass fewer if no answer is expected. Uses curl, which can skip verification of the certificate.
 */
async function awaitAnswer(protocol: string, port: number, seconds = 10): Promise<boolean> {
  const { stdout } = await new Deno.Command("curl", {
    args: [
      "-sk",
      "-m",
      String(seconds),
      "-o",
      "/dev/null",
      "-w",
      "%{http_code}",
      `${protocol}://127.0.0.1:${port}/version`,
    ],
  }).output();
  return new TextDecoder().decode(stdout) === "200";
}

for (const what of ["api", "server"]) {
  for (const protocol of ["http", "https"]) {
    const name = `${what === "api" ? "the embedded API" : "the server"} over ${protocol}`;
    const onLinux = [`Linux and curl`, Deno.build.os === "linux"] as const;
    const whileHeld = what === "api";

    Deno.test({
      ...needs(...onLinux, `${name}: answers again after its process had no free file descriptor`),
      fn: () =>
        withProcess([what, protocol], async (port, send) => {
          await awaitFact("the server answers at first", () => awaitAnswer(protocol, port), WITHIN);
          await send("full");
          // The descriptor of the first request may be released and serve one more request before the process takes it.
          await awaitFact("the server does not answer", async () => !await awaitAnswer(protocol, port, 2), WITHIN);
          await send("free");
          await awaitFact("the server answers again", () => awaitAnswer(protocol, port), WITHIN);
        }),
    });

    Deno.test({
      ...needs(
        ...onLinux,
        `${name}: ${whileHeld ? "answers during and" : "answers"} after more connections than it has file descriptors`,
      ),
      fn: () =>
        withProcess([what, protocol], async (port) => {
          const clients = [];
          for (let count = 0; count < 2 * DESCRIPTORS; count++) {
            clients.push(await Deno.connect({ hostname: "127.0.0.1", port }));
          }
          if (whileHeld) {
            await awaitFact("the server answers during the connections", () => awaitAnswer(protocol, port), WITHIN);
          }
          for (const client of clients) client.close();
          await awaitFact("the server answers after the connections", () => awaitAnswer(protocol, port), WITHIN);
        }),
    });
  }
}
