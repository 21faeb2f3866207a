/**
 * A process that runs the embedded API or the server's listener, with or without TLS. It reads commands from its
 * standard input: `full` uses up all its file descriptors, `free` releases them. It prints its port first, and each
 * command when done.
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
    tries: { tryMillis: 100, arrivalMillis: 300 },
  });
  return port;
}

// The programs do the same at their start: Deno 2.9.6 exits if the first signal listener is added without a free
// descriptor.
Deno.addSignalListener("SIGTERM", () => Deno.exit(0));
const say = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
say(String(await serve()));
const files: Deno.FsFile[] = [];
let taking: ReturnType<typeof setInterval> | undefined;

/**
 * Opens files until no descriptor is free. Repeated, so that descriptors released in the meantime are taken as well.
 */
function takeDescriptors(): void {
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
    takeDescriptors();
    taking = setInterval(takeDescriptors, 5);
  } else for (const file of files.splice(0)) file.close();
  say(word);
}
