/** Tests when the server's program ends. */
import { assertEquals, assertRejects } from "@std/assert";
import { createApiServer } from "../local/api/mod.ts";
import { kubeconfigOf } from "../tests/argo_cli/argo_server.ts";
import { readFlags, serverCommand } from "./flags.ts";
import { runServer } from "./program.ts";

/** A cluster that accepts connections and never responds. `asked` resolves at the first request. */
function silentCluster() {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const connections: Deno.Conn[] = [];
  const asked = Promise.withResolvers<void>();
  const taking = (async () => {
    for await (const connection of listener) {
      connections.push(connection);
      await connection.read(new Uint8Array(1));
      asked.resolve();
    }
  })();
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    asked: asked.promise,
    async [Symbol.asyncDispose]() {
      listener.close();
      await taking;
      for (const connection of connections) connection.close();
    },
  };
}

Deno.test("server: starts with --auth-mode hybrid on all addresses and reports that anonymous callers are refused", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const cluster = await api.serve(0, { tls: true });
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/kubeconfig`, kubeconfigOf(cluster));
    const args = ["--kubeconfig", `${folder}/kubeconfig`, "--auth-mode", "hybrid", "--port", "0", "--secure", "false"];
    const stop = new AbortController();
    const lines: string[] = [];
    const write = (line: string) => {
      lines.push(line);
      if (line.includes("The server is running")) stop.abort();
    };
    const command = serverCommand().parse(args, { from: "user" });
    await runServer(readFlags(command), { env: () => undefined, write }, stop.signal);
    assertEquals(lines.some((line) => line.includes('auth mode \\"server\\" is off')), true, lines.join("\n"));
  } finally {
    await cluster.close();
    api.close();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("server: stops while it waits for a cluster that does not respond", async () => {
  await using cluster = silentCluster();
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/kubeconfig`, kubeconfigOf({ url: cluster.url, token: "t" }));
    const stop = new AbortController();
    const command = serverCommand().parse(["--kubeconfig", `${folder}/kubeconfig`], { from: "user" });
    const running = runServer(readFlags(command), { env: () => undefined, write: () => {} }, stop.signal);
    const ended = assertRejects(() => running, DOMException);
    await cluster.asked;
    stop.abort();
    assertEquals(await ended, stop.signal.reason);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
