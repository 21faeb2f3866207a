/**
 * A process that serves, the embedded API or the server's port, with TLS or without, and takes all its descriptors when it is
 * told to: `full` on its standard input takes them, `free` gives them back. It says its address first, then each word again.
 */
import { createApiServer } from "../../local/api/mod.ts";
import { ownCertificate } from "@tiphys/base/x509";
import { listen } from "../../server/listen/listen.ts";

const [what, protocol] = Deno.args;
const tls = protocol === "https";

async function serve(): Promise<number> {
  if (what === "api") {
    return Number(new URL((await createApiServer({ storePath: ":memory:" }).serve(0, { tls })).url).port);
  }
  const { port } = await listen({
    hostname: "127.0.0.1",
    port: 0,
    tls: tls ? ownCertificate("Test", new Date()) : undefined,
    handler: () => Promise.resolve(new Response("ok")),
    tries: { tryMillis: 100, comeMillis: 300 },
  });
  return port;
}

// As the programs do at their start: Deno 2.9.6 ends where it first meets signals while there is no descriptor.
Deno.addSignalListener("SIGTERM", () => Deno.exit(0));
const say = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
say(String(await serve()));
const files: Deno.FsFile[] = [];
let taking: ReturnType<typeof setInterval> | undefined;

/** Takes what there is, also what others give back meanwhile. */
function take(): void {
  try {
    for (;;) files.push(Deno.openSync("/dev/null"));
  } catch { /* All are taken. */ }
}

for (const buffer = new Uint8Array(64);;) {
  const size = await Deno.stdin.read(buffer);
  if (size === null) Deno.exit(0);
  const word = new TextDecoder().decode(buffer.subarray(0, size)).trim();
  clearInterval(taking);
  if (word === "full") {
    take();
    taking = setInterval(take, 5);
  } else for (const file of files.splice(0)) file.close();
  say(word);
}
