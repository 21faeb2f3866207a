/** What serves outlives the time in which its process has no descriptor left, and clients that take as many as there are. */
import { assertEquals } from "@std/assert";
import { needs } from "../../lib/base/testing/needs.ts";
import { awaitFact } from "../await_fact.ts";

/** The descriptors of the process: few, so that they are taken at once. */
const DESCRIPTORS = 80;

async function withProcess(
  args: readonly string[],
  use: (port: number, say: (word: string) => Promise<void>) => Promise<void>,
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
    // It ends with its standard input.
    await orders.close().catch(() => {});
    await words.cancel();
    await child.status;
  }
}

const WITHIN = { seconds: 120 };

/**
 * Whether somebody answers within some seconds: many, as a machine that is busy takes its time for a handshake, unless nobody is
 * expected to. curl asks, as its certificate need not be known.
 */
async function answers(protocol: string, port: number, seconds = 10): Promise<boolean> {
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

    Deno.test({
      ...needs(...onLinux, `${name} answers again after its process had no descriptor for a connection`),
      fn: () =>
        withProcess([what, protocol], async (port, say) => {
          await awaitFact("it answers at first", () => answers(protocol, port), WITHIN);
          await say("full");
          // The descriptor of the first question may come back, and serve another one, before it is taken as well.
          await awaitFact("it does not answer", async () => !await answers(protocol, port, 2), WITHIN);
          await say("free");
          await awaitFact("it answers", () => answers(protocol, port), WITHIN);
        }),
    });

    Deno.test({
      ...needs(
        ...onLinux,
        `${name} answers while clients hold more connections than it has descriptors, and after them`,
      ),
      fn: () =>
        withProcess([what, protocol], async (port) => {
          const clients = [];
          for (let count = 0; count < 2 * DESCRIPTORS; count++) {
            clients.push(await Deno.connect({ hostname: "127.0.0.1", port }));
          }
          const whileHeld = what === "api";
          if (whileHeld) await awaitFact("it answers all the same", () => answers(protocol, port), WITHIN);
          for (const client of clients) client.close();
          await awaitFact("it answers after them", () => answers(protocol, port), WITHIN);
        }),
    });
  }
}
