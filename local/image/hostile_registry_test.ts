/** Malicious registries: their responses are bounded, and they receive no credentials of others. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { makeServerCertificate } from "../api/access/certificate.ts";
import { ALLOW_ALL } from "@tiphys/base/net";
import { ImageError } from "@tiphys/registry/image_error";
import { ImageStore } from "./image_store.ts";
import { MAX_MANIFEST_BYTES } from "@tiphys/registry/limits";
import { readDocument } from "@tiphys/registry/manifest";
import { RegistryClient } from "@tiphys/registry/registry_client";
import { digestOfBytes, madeImage } from "./testing/made_image.ts";

interface Hostile {
  readonly requests: string[];
  pull(): Promise<ImageError>;
}

/** Pulls from a server with arbitrary responses. */
async function withHostile(
  answer: (path: string, request: Request) => Response | Promise<Response>,
  test: (hostile: Hostile) => Promise<void>,
): Promise<void> {
  const requests: string[] = [];
  const folder = await Deno.makeTempDir();
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    requests.push(pathname);
    return answer(pathname, request);
  });
  const store = new ImageStore({ folder });
  try {
    const pull = () => assertRejects(() => store.pull(`127.0.0.1:${server.addr.port}/evil:1`), ImageError);
    await test({ requests, pull });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

Deno.test("index: an index that refers to its own tag is rejected without a second request", () =>
  withHostile(() => Response.json({ manifests: [{ digest: "1", size: 10 }] }), async ({ requests, pull }) => {
    assert((await pull()).message.includes('expected content by its digest and size, got {"digest":"1","size":10}'));
    assertEquals(requests, ["/v2/evil/manifests/1"]);
  }));

Deno.test("index: nested indexes are limited", () => {
  let inner = json({ manifests: [{ digest: `sha256:${"0".repeat(64)}`, size: 1 }] });
  const documents = new Map<string, Uint8Array<ArrayBuffer>>();
  for (let depth = 0; depth < 10; depth++) {
    documents.set(digestOfBytes(inner), inner);
    inner = json({ manifests: [{ digest: digestOfBytes(inner), size: inner.length }] });
  }
  const answer = (path: string) => new Response(documents.get(path.split("/").at(-1)!) ?? inner);
  return withHostile(answer, async ({ requests, pull }) => {
    assert((await pull()).message.includes("its indexes are nested"));
    assertEquals(requests.length, 3);
  });
});

Deno.test("index: the error about an index with long values stays short", () => {
  const platform = { os: "x".repeat(1_000_000), architecture: "y" };
  const digest = `sha256:${"0".repeat(64)}`;
  const answers = [{ manifests: [{ digest, size: 1, platform }] }, { manifests: [{ digest: "z".repeat(1_000_000) }] }];
  return withHostile(() => Response.json(answers.pop()), async ({ pull }) => {
    assert((await pull()).message.length < 20_000);
  });
});

Deno.test("manifest: the download of an endless manifest is canceled", async () => {
  let sent = 0;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
  await withHostile(() => new Response(endless()), async ({ pull }) => {
    assert((await pull()).message.includes(`is larger than the limit of ${MAX_MANIFEST_BYTES} bytes`));
  });
  assert(sent < 4 * MAX_MANIFEST_BYTES, `${sent} bytes were sent`);
});

Deno.test("token: endless and invalid tokens are rejected", async () => {
  const endless = () =>
    new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
  for (
    const body of [endless, () => '{"token": ["a"]}', () => '{"token": "a\\r\\nhost: b"}', () => "[]", () => "null"]
  ) {
    await withHostile((path, request) => {
      if (path === "/token") return new Response(body());
      const realm = `${new URL(request.url).origin}/token`;
      return new Response("", { status: 401, headers: { "www-authenticate": `Bearer realm="${realm}"` } });
    }, async ({ pull }) => {
      assert(/the response has no token|larger than/.test((await pull()).message));
    });
  }
});

Deno.test("redirects: endless redirects and redirects to other protocols are not followed", async () => {
  await withHostile(
    (path) => new Response("", { status: 302, headers: { location: `${path}x` } }),
    async ({ requests, pull }) => {
      assert((await pull()).message.includes("more than 5 redirects"));
      assertEquals(requests.length, 6);
    },
  );
  for (const location of ["file:///etc/passwd", "data:text/plain,x", "ftp://127.0.0.1/"]) {
    await withHostile(() => new Response("", { status: 307, headers: { location } }), async ({ requests, pull }) => {
      assert((await pull()).message.includes("it redirects to an unsafe address"));
      assertEquals(requests.length, 1);
    });
  }
});

for (
  const [what, change] of [
    [
      "a configuration of gigabytes",
      (document: Document) => ({ ...document, config: { ...document.config, size: 2 ** 40 } }),
    ],
    ["layers by the thousand", (document: Document) => ({ ...document, layers: Array(1000).fill(document.layers[0]) })],
    ["an invalid size", (document: Document) => ({ ...document, layers: [{ ...document.layers[0], size: -1 }] })],
    [
      "a digest that is a path",
      (document: Document) => ({ ...document, config: { digest: "sha256:../../x", size: 1 } }),
    ],
  ] as const
) {
  Deno.test(`image: ${what} is rejected before any blob is fetched`, async () => {
    const image = await madeImage([[{ name: "a", text: "b" }]]);
    const document = JSON.parse(new TextDecoder().decode(image.blobs.get(image.digest)));
    await withHostile(() => Response.json(change(document)), async ({ requests, pull }) => {
      await pull();
      assertEquals(requests, ["/v2/evil/manifests/1"]);
    });
  });
}

interface Document {
  readonly config: { readonly digest: string; readonly size: number };
  readonly layers: readonly { readonly digest: string; readonly size: number }[];
}

Deno.test("token: a server without TLS receives no password of a registry with TLS", async () => {
  const seen: (string | null)[] = [];
  const serve = { port: 0, hostname: "127.0.0.1", onListen() {} };
  const plain = Deno.serve(serve, (request) => {
    seen.push(request.headers.get("authorization"));
    return new Response("", { status: 401 });
  });
  const { cert, key, caCert } = makeServerCertificate(new Date());
  const challenge = `Bearer realm="http://127.0.0.1:${plain.addr.port}/token"`;
  const registry = Deno.serve(
    { ...serve, cert, key },
    () => new Response("", { status: 401, headers: { "www-authenticate": challenge } }),
  );
  const caFile = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(caFile, caCert);
    const url = `https://127.0.0.1:${registry.addr.port}`;
    for (const kind of ["password", "identityToken"] as const) {
      const credentials = kind === "password"
        ? { kind, username: "me", password: "s3cret" }
        : { kind, token: "s3cret" };
      using client = new RegistryClient(
        { url, registry: "127.0.0.1", caFile, isConfigured: true },
        "tool",
        credentials,
        ALLOW_ALL,
      );
      const error = await assertRejects(() => client.manifest("1"), ImageError, "the password is not sent, because");
      assert(!error.message.includes("s3cret"));
    }
    assertEquals(seen, [null, null]);
  } finally {
    await Promise.all([plain.shutdown(), registry.shutdown()]);
    await Deno.remove(caFile);
  }
});

Deno.test("readDocument: rejects invalid descriptors", () => {
  for (const digest of [null, 1, "sha256:0", {}, { digest: 1 }, { digest: `sha256:${"0".repeat(64)}` }]) {
    let refused = false;
    try {
      readDocument(json({ manifests: [digest] }), "here");
    } catch (error) {
      refused = error instanceof ImageError;
    }
    assertEquals(refused, true, JSON.stringify(digest));
  }
});
