/** A server in place of a cluster, as flags name it: its certificate, its path, and manifests that lie behind a URL. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { KubeError } from "@tiphys/kube";
import { ownCertificate } from "@tiphys/base/x509";
import { readText } from "../input/input_documents.ts";
import { serverOf } from "../flags/server_flags.ts";
import { FakeWorld } from "../testing/fake_world.ts";
import { connect } from "./connect.ts";

/** A server that knows no workflows, and the paths that it was asked for. */
function emptyServer(tls?: { cert: string; key: string }) {
  const asked: string[] = [];
  const server = Deno.serve({ hostname: "localhost", port: 0, onListen() {}, ...tls }, ({ url }) => {
    asked.push(new URL(url).pathname);
    return Response.json({ items: null, metadata: {} });
  });
  return { asked, host: `localhost:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
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

// `node:tls` closes its sockets a turn later than the test that opened them ends.
const options = { sanitizeResources: false, sanitizeOps: false };

Deno.test(
  "a certificate that nobody vouches for ends a command with the host's name; an authority or -k does not",
  options,
  async () => {
    const tls = ownCertificate("ArgoProj", new Date());
    await using server = emptyServer(tls);
    const error = await assertRejects(() => list({ argoServer: server.host }), KubeError);
    assertStringIncludes(error.message, server.host);
    assertEquals([error.status, server.asked], [0, []]);
    assertEquals((await list({ argoServer: server.host, certificateAuthority: "ca" }, { ca: tls.cert })).items, []);
    assertEquals((await list({ argoServer: server.host, insecureSkipVerify: true })).items, []);
  },
);

Deno.test("a path before the API goes before each request, with a slash at its ends or without", options, async () => {
  await using server = emptyServer();
  for (const argoBaseHref of ["/argo", "argo/", "/argo/"]) {
    await list({ argoServer: server.host, secure: "false", argoBaseHref });
  }
  assertEquals(new Set(server.asked), new Set(["/argo/api/v1/workflows/default"]));
});

Deno.test("a manifest may be a URL, whose refusal is told with its status", async () => {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    ({ url }) => url.endsWith("/there.yaml") ? new Response("kind: Workflow\n") : new Response("no", { status: 404 }),
  );
  using world = new FakeWorld();
  const url = `http://127.0.0.1:${server.addr.port}`;
  assertEquals(await readText(`${url}/there.yaml`, world), "kind: Workflow\n");
  await assertRejects(() => readText(`${url}/gone.yaml`, world), Error, "the server answered 404");
  await server.shutdown();
});
