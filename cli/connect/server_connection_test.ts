/** Connections to a server that flags select: its certificate and its path. Also manifests of a URL. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { KubeError } from "@tiphys/kube";
import { ownCertificate } from "@tiphys/base/x509";
import { readText } from "../input/input_documents.ts";
import { serverOf } from "../flags/server_flags.ts";
import { FakeWorld } from "../testing/fake_world.ts";
import { connect } from "./connect.ts";

/** Starts a server without workflows, which records the requested paths. */
function emptyServer(tls?: { cert: string; key: string }) {
  const paths: string[] = [];
  const server = Deno.serve({ hostname: "localhost", port: 0, onListen() {}, ...tls }, ({ url }) => {
    paths.push(new URL(url).pathname);
    return Response.json({ items: null, metadata: {} });
  });
  return { paths, host: `localhost:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}

async function list(flags: Parameters<typeof serverOf>[0], files: Record<string, string> = {}) {
  using world = new FakeWorld({ files });
  const server = await serverOf(flags, world);
  assert(server);
  const connection = await connect({ server, namespace: "default" });
  try {
    return await connection.service.list("default");
  } finally {
    await connection.close();
  }
}

// `node:tls` closes its sockets one turn of the event loop after the test ends.
const options = { sanitizeResources: false, sanitizeOps: false };

Deno.test(
  "server: an untrusted certificate is an error that names the host, unless its authority or -k is set",
  options,
  async () => {
    const tls = ownCertificate("ArgoProj", new Date());
    await using server = emptyServer(tls);
    const error = await assertRejects(() => list({ argoServer: server.host }), KubeError);
    assertStringIncludes(error.message, server.host);
    assertEquals([error.status, server.paths], [0, []]);
    assertEquals((await list({ argoServer: server.host, certificateAuthority: "ca" }, { ca: tls.cert })).items, []);
    assertEquals((await list({ argoServer: server.host, insecureSkipVerify: true })).items, []);
  },
);

Deno.test(
  "server: --argo-base-href prefixes the path of each request, with or without slashes at its ends",
  options,
  async () => {
    await using server = emptyServer();
    for (const argoBaseHref of ["/argo", "argo/", "/argo/"]) {
      await list({ argoServer: server.host, secure: "false", argoBaseHref });
    }
    assertEquals(new Set(server.paths), new Set(["/argo/api/v1/workflows/default"]));
  },
);

Deno.test("readText: fetches a URL, and reports the status of an error", async () => {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    ({ url }) => url.endsWith("/there.yaml") ? new Response("kind: Workflow\n") : new Response("no", { status: 404 }),
  );
  using world = new FakeWorld();
  const url = `http://127.0.0.1:${server.addr.port}`;
  assertEquals(await readText(`${url}/there.yaml`, world), "kind: Workflow\n");
  await assertRejects(() => readText(`${url}/gone.yaml`, world), Error, "the server responded with status 404");
  await server.shutdown();
});
