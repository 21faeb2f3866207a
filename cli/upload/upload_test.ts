import { assertEquals, assertStringIncludes } from "@std/assert";
import { ANNOTATION, EMBEDDED_STORE, REPOSITORIES_CONFIG_MAP } from "@tiphys/base/constants";
import { CONFIGMAPS, type KubeObject, SECRETS } from "@tiphys/kube";
import { FakeWorld } from "../testing/fake_world.ts";
import { withArtifacts } from "../testing/artifact_world.ts";

const SECRET = EMBEDDED_STORE.secret;

/** Writes files by their paths below a folder. */
function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const whole = `${folder}/${path}`;
    Deno.mkdirSync(whole.slice(0, whole.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(whole, text);
  }
}

Deno.test("cp: uploads a file to the key of an address, or below a key that ends in a slash", () =>
  withArtifacts({}, {}, async ({ world, top, stored }) => {
    write(top, { "a.txt": "one" });
    assertEquals(await world.run("cp", `${top}/a.txt`, "repository://in/b"), 0, world.errors);
    assertEquals(world.output, `Created "s3://${EMBEDDED_STORE.bucket}/in/b" (3 B)\n`);
    assertEquals(await world.run("cp", `${top}/a.txt`, `s3://${EMBEDDED_STORE.bucket}/in/`), 0, world.errors);
    assertEquals(await world.run("cp", `${top}/a.txt`, `s3://${EMBEDDED_STORE.bucket}`), 0, world.errors);
    assertEquals(await stored(), { "a.txt": "one", "in/a.txt": "one", "in/b": "one" });
  }));

Deno.test("cp: uploads folders with the files that links in them refer to, and files that match patterns", () =>
  withArtifacts({}, {}, async ({ world, top, stored }) => {
    write(top, { "tree/x": "1", "tree/sub/y": "2", "tree/sub/z.csv": "3", "tree/.hidden/h.csv": "4", "w.csv": "5" });
    Deno.symlinkSync("sub/y", `${top}/tree/link`);
    assertEquals(await world.run("cp", `${top}/tree/`, "repository://one"), 0, world.errors);
    assertEquals(Object.keys(await stored()), ["one/.hidden/h.csv", "one/link", "one/sub/y", "one/sub/z.csv", "one/x"]);
    assertStringIncludes(world.output, "(5 objects, 5 B)");
    assertEquals(await world.run("cp", `${top}/**/*.csv`, `${top}/tree/x`, "repository://two/", "-o", "name"), 0);
    const address = (key: string) => `s3://${EMBEDDED_STORE.bucket}/${key}\n`;
    assertEquals(world.output, ["two/w.csv", "two/z.csv", "two/x"].map(address).join(""));
    assertEquals(await world.run("cp", `${top}/t*/s*`, "repository://three", "-o", "json"), 0, world.errors);
    assertEquals(JSON.parse(world.output), [{
      source: `${top}/tree/sub`,
      address: address("three").trim(),
      kind: "folder",
      objects: 2,
      bytes: 2,
    }]);
  }));

Deno.test("cp: prints the digest of an uploaded file", () =>
  withArtifacts({}, {}, async ({ world, top }) => {
    write(top, { a: "hello" });
    assertEquals(await world.run("cp", `${top}/a`, "repository://a", "-o", "json"), 0, world.errors);
    const [{ digest, bytes }] = JSON.parse(world.output);
    assertEquals(bytes, 5);
    assertEquals(digest, "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
  }));

Deno.test("cp: invalid or ambiguous arguments upload nothing", () =>
  withArtifacts({}, {}, async ({ world, top, stored }) => {
    write(top, { "a/x": "1", "b/x": "2", "c": "3" });
    for (
      const [message, code, ...args] of [
        ["not found", 1, `${top}/none`, "repository://k"],
        ["No file or folder matches", 1, `${top}/n*`, "repository://k"],
        ["ends in a slash", 2, `${top}/a/x`, `${top}/c`, "repository://k"],
        ["would have the same key k/x", 2, `${top}/a/x`, `${top}/b/x`, "repository://k/"],
        ["has no bucket", 2, `${top}/c`, "s3:///k"],
        ["a part that is empty", 2, `${top}/c`, "s3://b/../k"],
        ["expected ** at most once", 2, `${top}/**/**/x`, "repository://k/"],
        ["--missing applies to artifacts", 2, `${top}/c`, "repository://k", "--missing"],
        ["--repository applies to files", 2, "w", top, "--repository", "r"],
        ["as the target of several files", 2, `${top}/c`, `${top}/c`, top],
      ] as const
    ) {
      assertEquals([await world.run("cp", ...args), world.output], [code, ""], message);
      assertStringIncludes(world.errors, message);
    }
    assertEquals(await stored(), {});
  }));

Deno.test("cp: uploads other files after a failure, and reports failures without secrets", () =>
  withArtifacts({}, {}, async ({ world, top, stored }) => {
    write(top, { "in/a": "1", "in/out/b": "2", "secret": "not meant" });
    Deno.symlinkSync(`${top}/secret`, `${top}/in/link`);
    Deno.symlinkSync(`${top}/secret`, `${top}/in/out/link`);
    assertEquals(await world.run("cp", `${top}/in/*`, "repository://k/"), 1);
    assertStringIncludes(world.errors, `${top}/in/link, to s3://${EMBEDDED_STORE.bucket}/k/link: it is a link`);
    assertStringIncludes(world.errors, "link is a link that leads out of the folder");
    assertStringIncludes(world.errors, "2 of 3 could not be copied");
    assertEquals((await stored())["k/a"], "1");
    assertEquals(Object.values(await stored()).includes("not meant"), false);
    assertEquals(await world.run("cp", `${top}/in/a`, "s3://another/k"), 1);
    assertStringIncludes(world.errors, `${top}/in/a, to s3://another/k: `);
    const { data } = await world.client.get<KubeObject & { data: Record<string, string> }>(
      SECRETS,
      "default",
      SECRET.name,
    );
    assertEquals(world.errors.includes(atob(data[SECRET.secretKey]!)), false);
  }));

Deno.test("cp: uses --repository, the repository of the namespace's ConfigMap, or that of the cluster, in this order", async () => {
  using world = new FakeWorld();
  const folder = await Deno.makeTempDir();
  write(folder, { a: "1" });
  assertEquals(await world.run("cp", `${folder}/a`, "repository://a"), 1);
  assertStringIncludes(world.errors, "no default artifact repository that clients may read");
  const at = (bucket: string) => `s3: {endpoint: "127.0.0.1:1", insecure: true, bucket: ${bucket}}`;
  world.artifactRepository = { s3: { endpoint: "127.0.0.1:1", insecure: true, bucket: "of-the-cluster" } };
  await world.client.create<KubeObject & { data: Record<string, string> }>(CONFIGMAPS, "default", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: REPOSITORIES_CONFIG_MAP,
      annotations: { [ANNOTATION.defaultArtifactRepository]: "usual" },
    },
    data: { usual: at("usual"), other: at("other"), gcs: "gcs: {bucket: g}" },
  });
  for (
    const [message, ...args] of [
      ["to s3://usual/a: There are no credentials for s3", "repository://a"],
      ["to s3://other/a: There are no credentials for s3", "repository://a", "--repository", "other"],
      [
        "to s3://mine/a: There are no credentials for s3",
        "s3://mine/a",
        "--repository",
        `${REPOSITORIES_CONFIG_MAP}#other`,
      ],
      ["is of kind gcs", "s3://mine/a", "--repository", "gcs"],
      ['no artifact repository "none"', "repository://a", "--repository", "none"],
    ] as const
  ) {
    assertEquals(await world.run("cp", `${folder}/a`, ...args), 1, message);
    assertStringIncludes(world.errors, message);
  }
  await Deno.remove(folder, { recursive: true });
});

/** Starts a store that accepts uploads and records requests. */
function standIn(onPart: (url: URL) => Promise<void> | void) {
  const requests: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const url = new URL(request.url);
    requests.push(`${request.method} ${url.pathname}${url.search.replace(/=.*/, "")}`);
    if (request.method === "POST" && url.searchParams.has("uploads")) {
      return new Response("<R><UploadId>u</UploadId></R>");
    }
    if (request.method === "DELETE") return new Response(null, { status: 204 });
    await onPart(url);
    await request.body?.pipeTo(new WritableStream()).catch(() => {});
    return new Response(null, { headers: { etag: '"e"' } });
  });
  return { requests, server, endpoint: `127.0.0.1:${server.addr.port}` };
}

const KEYS = {
  accessKeySecret: { name: SECRET.name, key: SECRET.accessKey },
  secretKeySecret: { name: SECRET.name, key: SECRET.secretKey },
};

Deno.test("cp: Ctrl-C aborts a multipart upload, and no further upload starts", () =>
  withArtifacts({}, {}, async ({ world, top }) => {
    const { requests, server, endpoint } = standIn((url) => {
      if (url.searchParams.has("partNumber")) world.interrupt();
    });
    world.artifactRepository = { s3: { endpoint, bucket: "b", insecure: true, ...KEYS } };
    const large = await Deno.create(`${top}/large`);
    await large.truncate(17 * 1024 * 1024);
    large.close();
    assertEquals(await world.run("cp", `${top}/large`, "repository://k"), 1);
    assertStringIncludes(world.errors, "Interrupted");
    assertEquals(requests.filter((request) => request.startsWith("POST")), ["POST /b/k?uploads"]);
    assertEquals(requests.includes("DELETE /b/k?uploadId"), true);
    await server.shutdown();
  }));

Deno.test("cp: uploads four files concurrently, and shows progress on a terminal", () =>
  withArtifacts({}, {}, async ({ top }) => {
    const gates: (() => void)[] = [];
    const counts = { now: 0, most: 0, seen: 0 };
    const { server, endpoint } = standIn(async () => {
      counts.seen++;
      counts.most = Math.max(counts.most, ++counts.now);
      // Releases four requests together.
      await new Promise<void>((go) => {
        gates.push(go);
        if (gates.length === 4) gates.splice(0).forEach((gate) => gate());
      });
      counts.now--;
    });
    using world = new FakeWorld({ terminal: { columns: 80, rows: 24 } });
    world.artifactRepository = { s3: { endpoint, bucket: "b", insecure: true, ...KEYS } };
    await world.client.create<KubeObject & { data: Record<string, string> }>(SECRETS, "default", {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: SECRET.name },
      data: { [SECRET.accessKey]: btoa("a"), [SECRET.secretKey]: btoa("s") },
    });
    write(top, Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`f${index}`, "x"])));
    assertEquals(await world.run("cp", `${top}/f*`, "repository://k/"), 0, world.errors);
    assertEquals([counts.most, counts.seen], [4, 8]);
    assertStringIncludes(world.output, " of 8, 1 object, 1 B\n\x1b[1A");
    assertEquals(world.output.endsWith("(1 B)\n"), true, "the progress line is erased at the end");
    await server.shutdown();
  }));
