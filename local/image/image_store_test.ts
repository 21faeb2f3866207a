import { assert, assertEquals, assertRejects } from "@std/assert";
import { readArchive } from "./archive.ts";
import { BlobStore } from "./blob_store.ts";
import { removeTree } from "./remove_tree.ts";
import { ImageError } from "@tiphys/registry/image_error";
import { ImageStore, type ImageStoreOptions } from "./image_store.ts";
import { ARCHITECTURE } from "@tiphys/registry/manifest";
import { RegistryUnreachableError } from "@tiphys/registry/registry_client";
import { needs } from "../../lib/base/testing/needs.ts";
import { archiveOf, indexOf, madeImage, serveRegistry, tarOf } from "./testing/made_image.ts";

async function withStore(
  options: Omit<ImageStoreOptions, "folder">,
  act: (store: ImageStore, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await act(new ImageStore({ folder, ...options }), folder);
  } finally {
    await removeTree(folder);
  }
}

const hello = await madeImage(
  [[{ name: "etc/hello", text: "old" }], [{ name: "etc/hello", text: "new" }]],
  { Entrypoint: ["/bin/tool"], Cmd: ["a"], Env: ["PATH=/bin", "A=1=2"], WorkingDir: "/etc", User: "nobody" },
);

Deno.test("pull: stores an image with its configuration and its layers on top of each other", async () => {
  await using registry = serveRegistry({ "team/hello:1": hello });
  await withStore({}, async (store) => {
    const image = await store.pull(`${registry.host}/team/hello:1`);
    assertEquals(image.digest, hello.digest);
    const { env, ...config } = await store.configOf(image);
    assertEquals(config, { entrypoint: ["/bin/tool"], cmd: ["a"], workingDir: "/etc", user: "nobody" });
    assertEquals([...env], [["PATH", "/bin"], ["A", "1=2"]]);
    using root = await store.useRoot(image);
    assertEquals(await Deno.readTextFile(`${root.folder}/etc/hello`), "new");
  });
});

Deno.test("pull: concurrent pulls share their requests", async () => {
  await using registry = serveRegistry({ "hello:1": hello });
  await withStore({}, async (store) => {
    await Promise.all([1, 2, 3].map(() => store.pull(`${registry.host}/hello:1`)));
    assertEquals(registry.requests.length, new Set(registry.requests).size);
  });
});

Deno.test("pull: sends no request for a stored image, unless the policy is Always", async () => {
  await using registry = serveRegistry({ "hello:1": hello });
  await withStore({}, async (store) => {
    const name = `${registry.host}/hello:1`;
    await store.pull(name);
    const before = registry.requests.length;
    await store.pull(name);
    assertEquals(registry.requests.length, before);
    await store.pull(name, { policy: "Always" });
    assertEquals(registry.requests.slice(before), ["/v2/hello/manifests/1"], "the blobs are stored");
  });
});

Deno.test("pull: an image whose name file is invalid, for example after a full disk, is pulled again", async () => {
  await using registry = serveRegistry({ "hello:1": hello });
  await withStore({}, async (store, folder) => {
    const name = `${registry.host}/hello:1`;
    const image = await store.pull(name);
    const [{ name: file } = { name: "" }] = await Array.fromAsync(Deno.readDir(`${folder}/names`));
    for (const text of ["", '{"name":"x"', "null", '{"name":"x","digest":"d","since":"s","manifest":{"layers":{}}}']) {
      await Deno.writeTextFile(`${folder}/names/${file}`, text);
      assertEquals([await store.find(name), await store.list()], [undefined, []], text);
    }
    assertEquals((await store.pull(name)).digest, image.digest);
    assertEquals((await store.find(name))?.manifest, image.manifest);
  });
});

Deno.test("pull: the policy Never pulls nothing", async () => {
  await withStore({}, async (store) => {
    const error = await assertRejects(() => store.pull("hello:1", { policy: "Never" }), ImageError);
    assertEquals(error.reason, "ErrImageNeverPull");
  });
});

Deno.test("pull: selects the image for this machine's architecture from an index", async () => {
  const other = await madeImage([[{ name: "other", text: "" }]]);
  await using registry = serveRegistry({
    "many:1": indexOf({ s390x: other, [ARCHITECTURE]: hello }),
    "foreign:1": indexOf({ s390x: other }),
  });
  await withStore({}, async (store) => {
    assertEquals((await store.pull(`${registry.host}/many:1`)).digest, hello.digest);
    await assertRejects(() => store.pull(`${registry.host}/foreign:1`), ImageError, "available: linux/s390x");
  });
});

Deno.test("pull: tries a mirror first, then the registry", async () => {
  await using mirror = serveRegistry({ "one:1": hello });
  await using registry = serveRegistry({ "one:1": hello, "two:1": hello });
  const mirrors = { [registry.host]: { endpoint: [`http://${mirror.host}`] } };
  await withStore({ registries: { mirrors } }, async (store) => {
    await store.pull(`${registry.host}/one:1`);
    assertEquals(registry.requests, []);
    await store.pull(`${registry.host}/two:1`);
    assert(registry.requests.length > 0);
  });
});

Deno.test("pull: authenticates with the docker configuration or a pull secret", async () => {
  const login = { username: "me", password: "se:cret" };
  await using registry = serveRegistry({ "hello:1": hello }, login);
  const dockerConfig = { auths: { [registry.host]: { auth: btoa("me:se:cret") } } };
  await withStore({ dockerConfig }, async (store) => {
    await store.pull(`${registry.host}/hello:1`);
  });
  await withStore({}, async (store) => {
    await store.pull(`${registry.host}/hello:1`, { secrets: [{ auths: { [registry.host]: login } }] });
  });
});

Deno.test("pull: a denied access is an error with advice and without passwords", async () => {
  await using registry = serveRegistry({ "hello:1": hello }, { username: "me", password: "right" });
  await withStore(
    { dockerConfig: { auths: { [registry.host]: { username: "me", password: "wr0ng" } } } },
    async (store) => {
      const error = await assertRejects(() => store.pull(`${registry.host}/hello:1`), ImageError, "401");
      assert(!error.message.includes("wr0ng"));
    },
  );
});

Deno.test("pull: removes content that does not match its digest", async () => {
  const blobs = new Map(
    [...hello.blobs].map(([digest, bytes]) =>
      [digest, digest === hello.digest ? bytes : bytes.toReversed() as typeof bytes] as const
    ),
  );
  await using registry = serveRegistry({ "bad:1": { ...hello, blobs } });
  await withStore({}, async (store, folder) => {
    await assertRejects(() => store.pull(`${registry.host}/bad:1`), ImageError, "does not match its digest");
    assertEquals(await store.list(), []);
    const kept = [...Deno.readDirSync(`${folder}/blobs/sha256`)].map(({ name }) => `sha256:${name}`);
    assertEquals(kept, [hello.digest]);
  });
});

Deno.test("pull: distinguishes a missing image from an unreachable registry", async () => {
  let gone: string;
  {
    await using registry = serveRegistry({});
    gone = registry.host;
    await withStore({}, async (store) => {
      const error = await assertRejects(() => store.pull(`${registry.host}/none:1`), ImageError, "no such image");
      assert(!(error instanceof RegistryUnreachableError));
    });
  }
  await withStore({}, async (store) => {
    await assertRejects(() => store.pull(`${gone}/none:1`), RegistryUnreachableError, "cannot be reached");
  });
});

Deno.test("pull: backs off after a failure, but uses the image if it is loaded meanwhile", async () => {
  await using registry = serveRegistry({});
  await withStore({}, async (store) => {
    const name = `${registry.host}/late:1`;
    const pull = () => store.pull(name, { policy: "IfNotPresent" });
    await assertRejects(pull, ImageError, "no such image");
    const asked = registry.requests.length;
    await assertRejects(pull, ImageError, "no such image");
    assertEquals(registry.requests.length, asked);
    await store.load(new Blob([await archiveOf(hello)]).stream(), name);
    assertEquals((await pull()).digest, hello.digest);
  });
});

Deno.test("prune: removes leftovers of a process that died while saving a name", async () => {
  await withStore({}, async (store, folder) => {
    await Deno.mkdir(`${folder}/names`);
    await Deno.writeTextFile(`${folder}/names/a.json.${crypto.randomUUID()}.part`, "{");
    await store.prune();
    assertEquals(await Array.fromAsync(Deno.readDir(`${folder}/names`)), []);
  });
});

Deno.test("pull: the backoff of a failure does not apply to other secrets", async () => {
  const login = { username: "me", password: "right" };
  await using registry = serveRegistry({ "hello:1": hello }, login);
  const name = `${registry.host}/hello:1`;
  const secrets = [{ auths: { [registry.host]: login } }];
  await withStore({}, async (store) => {
    const [refused, pulled] = await Promise.allSettled([store.pull(name), store.pull(name, { secrets })]);
    assertEquals([refused.status, pulled.status], ["rejected", "fulfilled"]);
  });
  await withStore({}, async (store) => {
    await assertRejects(() => store.pull(name), ImageError, "401");
    assertEquals((await store.pull(name, { secrets })).digest, hello.digest);
  });
});

Deno.test("pull: a mirror only receives its own credentials", async () => {
  await using mirror = serveRegistry({ "library/hello:1": hello }, { username: "me", password: "hub" });
  const auths = { "https://index.docker.io/v1/": { username: "me", password: "hub" } };
  const mirrors = {
    "docker.io": { endpoint: [`http://${mirror.host}`] },
    "*": { endpoint: [`http://${mirror.host}`] },
  };
  await withStore({ dockerConfig: { auths }, registries: { mirrors } }, async (store) => {
    await assertRejects(() => store.pull("hello:1"), ImageError, `http://${mirror.host}: no token: 401`);
  });
  const own = { auths: { ...auths, [mirror.host]: { username: "me", password: "hub" } } };
  await withStore({ dockerConfig: own, registries: { mirrors } }, async (store) => {
    assertEquals((await store.pull("hello:1")).digest, hello.digest);
  });
});

Deno.test("pull: reports progress until the end", async () => {
  await using registry = serveRegistry({ "hello:1": hello });
  await withStore({}, async (store) => {
    const seen: string[] = [];
    const onProgress = ({ image, done, total }: { image: string; done: number; total: number }) => {
      seen.push(`${image} ${done}/${total}`);
    };
    const { manifest } = await store.pull(`${registry.host}/hello:1`, { onProgress });
    const total = [manifest.config, ...manifest.layers].reduce((sum, { size }) => sum + size, 0);
    assertEquals(seen.at(-1), `${registry.host}/hello:1 ${total}/${total}`);
  });
});

Deno.test("pull: reports no progress for stored content", async () => {
  await using registry = serveRegistry({ "hello:1": hello });
  await withStore({}, async (store) => {
    const name = `${registry.host}/hello:1`;
    await store.pull(name);
    let notices = 0;
    await store.pull(name, { policy: "Always", onProgress: () => notices++ });
    assertEquals(notices, 0);
  });
});

Deno.test("pull: does not contact an unreachable server again soon", async () => {
  const connections: Deno.Conn[] = [];
  const deaf = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepted = (async () => {
    for await (const connection of deaf) {
      connections.push(connection);
      connection.close();
    }
  })();
  await withStore({}, async (store) => {
    const name = `127.0.0.1:${(deaf.addr as Deno.NetAddr).port}/hello:1`;
    await assertRejects(() => store.pull(name), RegistryUnreachableError);
    const asked = connections.length;
    await assertRejects(() => store.pull(name), RegistryUnreachableError);
    assertEquals(connections.length, asked);
  });
  deaf.close();
  await accepted;
});

Deno.test("load: stores an archive under its own name or a given one", async () => {
  await withStore({}, async (store) => {
    const bytes = await archiveOf(hello, "docker.io/library/hello:1");
    assertEquals((await store.load(new Blob([bytes]).stream())).map(({ name }) => name), ["docker.io/library/hello:1"]);
    assert(await store.find("hello:1"));
    await store.load(new Blob([bytes]).stream(), "other");
    assertEquals((await store.list()).map(({ name }) => name), [
      "docker.io/library/hello:1",
      "docker.io/library/other:latest",
    ]);
    const nameless = new Blob([await archiveOf(hello)]).stream();
    await assertRejects(() => store.load(nameless), Error, "set one with --name");
    const empty = new Blob([await new Response(new Blob([new Uint8Array(1024)])).bytes()]).stream();
    await assertRejects(() => store.load(empty), ImageError, "contains no image");
  });
});

for (
  const [what, files, words] of [
    ["an empty index", { "index.json": '{"manifests":[]}' }, "contains no image: its index.json lists no image"],
    ["an invalid index", { "index.json": "{}" }, "expected the manifest of an image, got none: index.json"],
    ["an index of a missing blob", { "index.json": index("a") }, "missing: sha256:aaaa"],
    ["an empty list", { "manifest.json": "[]" }, "contains no image: its manifest.json lists no image"],
    ["an invalid list", { "manifest.json": "null" }, "contains no image: its manifest.json lists no image"],
    [
      "a file outside",
      { "manifest.json": docker("../../etc/passwd") },
      '"../../etc/passwd", which it does not contain',
    ],
    [
      "a configuration without layers",
      { "manifest.json": docker("c.json"), "c.json": "{}" },
      "does not name its layers",
    ],
  ] as const
) {
  Deno.test(`load: an archive with ${what} is an error, and no name is saved`, () =>
    withStore({}, async (store) => {
      const entries = Object.entries(files).map(([name, text]) => ({ name, text }));
      await assertRejects(async () => await store.load(new Blob([await tarOf(entries)]).stream()), ImageError, words);
      assertEquals(await store.list(), []);
    }));
}

Deno.test("load: an archive with links to anywhere, or with more entries than the limit, is an error", () =>
  withStore({}, async (store, folder) => {
    const links = ["http://[", "//", "../../..", "/etc/passwd", "a\u0000b"].map((linkname, i) => (
      { name: `link-${i}`, type: "symlink", linkname } as const
    ));
    const archive = async () => new Blob([await tarOf(links)]).stream();
    await assertRejects(async () => await store.load(await archive()), ImageError, "it has neither index.json nor");
    const blobs = new BlobStore(`${folder}/other`);
    await assertRejects(async () => await readArchive(await archive(), blobs, 4), ImageError, "more than 4 entries");
  }));

function index(digit: string): string {
  return JSON.stringify({ manifests: [{ digest: `sha256:${digit.repeat(64)}`, size: 1 }] });
}

function docker(config: string): string {
  return JSON.stringify([{ Config: config, RepoTags: ["a:1"], Layers: [] }]);
}

Deno.test("tag: adds a name to an image", async () => {
  await withStore({}, async (store) => {
    const [image] = await store.load(new Blob([await archiveOf(hello, "hello:1")]).stream());
    await store.tag(image!, "team/other:2");
    assertEquals((await store.find("team/other:2"))?.digest, image!.digest);
    assertEquals((await store.find("hello:1"))?.digest, image!.digest);
  });
});

Deno.test("prune: removes content without a name, except content in use", async () => {
  await withStore({}, async (store, folder) => {
    await store.load(new Blob([await archiveOf(hello, "hello:1")]).stream());
    const image = (await store.find("hello:1"))!;
    {
      using root = await store.useRoot(image);
      assertEquals(await store.prune(), 0);
      assert(await store.remove("hello:1"));
      assert(await store.prune() > 0);
      assertEquals(await Deno.readTextFile(`${root.folder}/etc/hello`), "new");
    }
    await store.prune();
    const roots = [...Deno.readDirSync(`${folder}/roots`)].filter(({ isDirectory }) => isDirectory);
    assertEquals(roots, []);
    assertEquals(await store.remove("hello:1"), false);
  });
});

Deno.test("prune: removes leftovers of a process that was killed while unpacking", async () => {
  await withStore({}, async (store, folder) => {
    const [image] = await store.load(new Blob([await archiveOf(hello)]).stream(), "hello:1");
    const root = await store.useRoot(image!);
    const abandoned = `${folder}/roots/${"a".repeat(64)}.1-2.part`;
    const beingMade = `${root.folder}.1-2.part`;
    for (const path of [abandoned, beingMade]) await Deno.mkdir(`${path}/etc`, { recursive: true });
    await store.prune();
    assertEquals(await exists(abandoned), false);
    assertEquals(await exists(beingMade), true, "somebody has the lock");
    root[Symbol.dispose]();
    await store.prune();
    assertEquals([await exists(beingMade), await exists(root.folder)], [false, true]);
  });
});

Deno.test("prune: fails while an image is being added", async () => {
  await withStore({}, async (store, folder) => {
    const bytes = await archiveOf(hello, "hello:1");
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const archive = new ReadableStream<Uint8Array>({
      async pull(controller) {
        begun.resolve();
        await end.promise;
        controller.enqueue(bytes);
        controller.close();
      },
    }, { highWaterMark: 0 });
    const loading = store.load(archive);
    await begun.promise;
    await assertRejects(() => new ImageStore({ folder }).prune(), Error, "retry when it has finished");
    end.resolve();
    await loading;
    await new ImageStore({ folder }).prune();
    assertEquals((await store.configOf((await store.find("hello:1"))!)).user, "nobody");
  });
});

Deno.test("useRoot: rejects layers that do not match the digests in the configuration", async () => {
  await using registry = serveRegistry({
    "lying:1": await madeImage([[{ name: "a" }]], {}, [`sha256:${"0".repeat(64)}`]),
  });
  await withStore({}, async (store, folder) => {
    const image = await store.pull(`${registry.host}/lying:1`);
    await assertRejects(() => store.useRoot(image), ImageError, "was expected");
    assertEquals([...Deno.readDirSync(`${folder}/roots`)].filter(({ isDirectory }) => isDirectory), []);
  });
});

/** Returns the files below a folder that this process has open. */
function openBelow(folder: string): string[] {
  return Array.from(Deno.readDirSync("/proc/self/fd"), ({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/self/fd/${name}`);
    } catch {
      return "";
    }
  }).filter((path) => path.startsWith(folder));
}

Deno.test({
  ...needs(
    "Linux",
    Deno.build.os === "linux",
    "useRoot: closes all files of a truncated layer, compressed or not",
  ),
  async fn() {
    const junk = new Uint8Array(8 * 1024 * 1024).map((_, i) => i * i % 251);
    const packed = new Blob([junk]).stream().pipeThrough(new CompressionStream("gzip"));
    await withStore({}, async (store, folder) => {
      const plain = await store.createLocalImage("plain", new Blob([junk]).stream(), {});
      const other = await store.createLocalImage("packed", packed, {});
      for (const image of [plain, other]) {
        await assertRejects(() => store.useRoot(image));
        assertEquals(openBelow(folder), []);
      }
    });
  },
});

Deno.test("load: cancels the stream of an invalid archive", async () => {
  await withStore({}, async (store) => {
    let isCancelled = false;
    const junk = new ReadableStream<Uint8Array>({
      pull: (stream) => stream.enqueue(new Uint8Array(65_536).fill(7)),
      cancel() {
        isCancelled = true;
      },
    });
    await assertRejects(() => store.load(junk, "junk"));
    assert(isCancelled);
  });
});

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
