/**
 * The cluster of the bench, in a separate process: the embedded API over TLS, without a controller. Pods have 100 MB of
 * log. KUBECONFIG is the path of the file to write for clients. Prints `ready` when it listens, and exits when its
 * standard input is closed.
 */
import { createApiServer } from "../../../local/api/mod.ts";

const LOG_BYTES = 100e6;
const LINE = new TextEncoder().encode(`2026-11-01T00:00:00.000000000Z ${"x".repeat(98)}\n`);
const LINES_AT_ONCE = 600;

function log(): ReadableStream<Uint8Array> {
  const chunk = new Uint8Array(LINE.length * LINES_AT_ONCE);
  for (let index = 0; index < LINES_AT_ONCE; index++) chunk.set(LINE, index * LINE.length);
  let left = LOG_BYTES;
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close();
      left -= chunk.length;
      controller.enqueue(chunk);
    },
  });
}

const [kubeconfig = ""] = Deno.args;
const api = createApiServer({ storePath: ":memory:" });
api.useKubelet({ logs: log, exec: () => Promise.reject(new Error("this cluster does not run pods")) });
const { url, token, caCert } = await api.serve(0, { tls: true });
const name = "bench";
await Deno.writeTextFile(
  kubeconfig,
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server: url, "certificate-authority-data": btoa(caCert ?? "") } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  }),
  { mode: 0o600 },
);
console.log("ready");
while (await Deno.stdin.read(new Uint8Array(64)) !== null);
Deno.exit(0);
