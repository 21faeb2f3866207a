import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { EMBEDDED_STORE } from "@tiphys/base/constants";
import { type KubeObject, SECRETS, WORKFLOWS } from "@tiphys/kube";
import { at, withArtifacts } from "../testing/artifact_world.ts";

const SECRET = EMBEDDED_STORE.secret;

const KEYS = {
  accessKeySecret: { name: SECRET.name, key: SECRET.accessKey },
  secretKeySecret: { name: SECRET.name, key: SECRET.secretKey },
};

function filesBelow(folder: string, prefix = ""): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) Object.assign(files, filesBelow(`${folder}/${name}`, `${prefix}${name}/`));
    else files[`${prefix}${name}`] = Deno.readTextFileSync(`${folder}/${name}`);
  }
  return files;
}

Deno.test("cp: copies every output artifact to NAMESPACE/WORKFLOW/NODE/outputs/ARTIFACT, named after the end of its key, and whole folders", () =>
  withArtifacts(
    { "w/a.tgz": "archive", "w/dir/x": "1", "w/dir/sub/y": "2" },
    { n1: { a: at("w/a.tgz") }, n2: { d: at("w/dir") } },
    async ({ world, out }) => {
      assertEquals(await world.run("cp", "w", out), 0, world.errors);
      assertEquals(filesBelow(out), {
        "default/w/n1/outputs/a/a.tgz": "archive",
        "default/w/n2/outputs/d/dir/x": "1",
        "default/w/n2/outputs/d/dir/sub/y": "2",
      });
      assertStringIncludes(world.errors, `Created "${out}/default/w/n1/outputs/a/a.tgz"`);
    },
  ));

Deno.test("cp: selects artifacts by node, template or name, copies them to --path, and replaces existing files", () =>
  withArtifacts(
    { "1": "one", "2": "two", "3": "three" },
    { n1: { a: at("1"), b: at("2") }, n2: { a: at("3") } },
    async ({ world, out }) => {
      const path = ["--path", "{templateName}/{artifactName}"];
      assertEquals(await world.run("cp", "w", out, "--node-id", "n1", "--artifact-name", "a", ...path), 0);
      assertEquals(filesBelow(out), { "of-n1/a/1": "one" });
      Deno.writeTextFileSync(`${out}/of-n1/a/1`, "old");
      assertEquals(await world.run("cp", "w", out, "--template-name", "of-n1", ...path), 0);
      assertEquals(filesBelow(out), { "of-n1/a/1": "one", "of-n1/b/2": "two" });
      assertEquals(
        await world.run("cp", "w", `${out}/named`, "--node-id", "n2", "--path", "{workflowName}/{nodeName}"),
        0,
      );
      assertEquals(filesBelow(`${out}/named`), { "w/n2/3": "three" });
      assertEquals(await world.run("cp", "w", out, "--node-id", "n3"), 1);
      assertStringIncludes(world.errors, "no such output artifact");
    },
  ));

Deno.test("cp: succeeds for a workflow without output artifacts, and reports that", () =>
  withArtifacts({}, { n1: {} }, async ({ world, out }) => {
    assertEquals(await world.run("cp", "w", out), 0);
    assertStringIncludes(world.errors, "Workflow w has no output artifacts");
  }));

Deno.test("cp: copies up to four artifacts concurrently, and artifacts with the same path one after the other", async () => {
  const stores = { now: 0, most: 0, samePath: 0 };
  const gates: (() => void)[] = [];
  const open = () => gates.splice(0).forEach((go) => go());
  // If artifacts are copied sequentially, the test fails instead of hanging.
  const late = setInterval(open, 10_000);
  const store = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async ({ method, url }) => {
    if (method === "HEAD") return new Response(null, { headers: { "content-length": "1", etag: '"e"' } });
    stores.most = Math.max(stores.most, ++stores.now);
    if (url.includes("/same")) stores.samePath++;
    // Releases four requests together; the last one, which comes alone, does not wait.
    await new Promise<void>((go) => {
      gates.push(go);
      if (gates.length === 4 || stores.samePath === 2) open();
    });
    stores.now--;
    return new Response("x", { headers: { "content-length": "1", etag: '"e"' } });
  });
  const location = (key: string) => ({
    s3: { endpoint: `127.0.0.1:${store.addr.port}`, bucket: "b", insecure: true, key, ...KEYS },
  });
  const artifacts = Object.fromEntries(["same", "b", "c", "d"].map((name) => [name, location(name)]));
  await withArtifacts({}, { n1: artifacts, n2: { same: location("same") } }, async ({ world, out }) => {
    assertEquals(await world.run("cp", "w", out, "--path", "{artifactName}"), 0, world.errors);
    assertEquals(filesBelow(out), { "b/b": "x", "c/c": "x", "d/d": "x", "same/same": "x" });
    assertEquals([stores.most, stores.samePath], [4, 2]);
  });
  clearInterval(late);
  await store.shutdown();
});

Deno.test("cp --missing: resumes an interrupted copy, and does not change existing files", () =>
  withArtifacts(
    { "a": "one", "b": "two", "dir/x": "1" },
    { n1: { a: at("a"), b: at("b"), d: at("dir") } },
    async ({ world, out }) => {
      const copy = () => world.run("cp", "w", out, "--missing", "--path", "{artifactName}");
      assertEquals(await copy(), 0, world.errors);
      Deno.writeTextFileSync(`${out}/a/a`, "of before");
      Deno.writeTextFileSync(`${out}/d/dir/y`, "of before");
      Deno.removeSync(`${out}/b`, { recursive: true });
      assertEquals(await copy(), 0, world.errors);
      assertEquals(filesBelow(out), { "a/a": "of before", "b/b": "two", "d/dir/x": "1", "d/dir/y": "of before" });
      assertEquals([world.output, world.errors], ["", `Created "${out}/b/b"\n`]);
    },
  ));

Deno.test("cp: rejects artifacts whose key, node or name leads out of the directory, and names them", () =>
  withArtifacts(
    { "dir/../../evil": "x", "good": "good", "up/..": "y" },
    {
      n1: { key: at("up/.."), good: at("good") },
      "../../n2": { a: at("good") },
      n3: { "../../../../../b": at("good") },
      n4: { folder: at("dir") },
    },
    async ({ world, out, top }) => {
      assertEquals(await world.run("cp", "w", out), 1);
      assertEquals(filesBelow(top), { "out/default/w/n1/outputs/good/good": "good" });
      assertStringIncludes(world.errors, "4 of 5 artifacts could not be copied");
      for (const text of ["key of n1", "a of ../../n2", "of n3", "folder of n4"]) {
        assertStringIncludes(world.errors, text);
      }
      assertEquals(await world.run("cp", "w", out, "--artifact-name", "good", "--path", "../{artifactName}"), 1);
      assertEquals(Object.keys(filesBelow(top)).length, 1);
    },
  ));

Deno.test("cp: does not follow links in the directory, and does not replace an existing folder", () =>
  withArtifacts({ good: "good" }, { n1: { a: at("good") } }, async ({ world, out, top }) => {
    Deno.mkdirSync(`${out}/x`, { recursive: true });
    Deno.mkdirSync(`${top}/elsewhere`);
    Deno.symlinkSync(`${top}/elsewhere`, `${out}/link`);
    assertEquals(await world.run("cp", "w", out, "--path", "link"), 1);
    assertEquals([...Deno.readDirSync(`${top}/elsewhere`)], []);
    Deno.mkdirSync(`${out}/x/good`);
    Deno.writeTextFileSync(`${out}/x/good/mine`, "mine");
    assertEquals(await world.run("cp", "w", out, "--path", "x"), 1);
    assertStringIncludes(world.errors, "is an existing folder");
    assertEquals(filesBelow(`${out}/x`), { "good/mine": "mine" });
  }));

Deno.test("cp: reports missing and deleted artifacts without secrets, and leaves no incomplete files", () =>
  withArtifacts(
    {},
    {
      n1: { missing: at("gone"), deleted: { ...at("old"), deleted: true } },
      n2: { plugin: { plugin: { name: "p", configuration: "c", key: "k" } } },
      n3: { other: { s3: { key: "k", bucket: "another" } } },
    },
    async ({ world, out }) => {
      assertEquals(await world.run("cp", "w", out), 1);
      assertEquals(filesBelow(out), {});
      for (
        const text of [
          "no key gone in the bucket",
          "deleted by garbage collection",
          "only pods with its plugin",
          "NoSuchBucket",
        ]
      ) {
        assertStringIncludes(world.errors, text);
      }
      const { data } = await world.client.get<KubeObject & { data: Record<string, string> }>(
        SECRETS,
        "default",
        SECRET.name,
      );
      assertEquals(world.errors.includes(atob(data[SECRET.secretKey]!)), false);
    },
  ));

Deno.test("cp: uses the proxy of the environment and the credentials of the cluster's Secret, never credentials of this machine", async () => {
  const requests: string[] = [];
  const proxy = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ headers }) => {
    requests.push(`${headers.get("host")} ${headers.get("authorization")?.includes("machine") ?? "unsigned"}`);
    return new Response("<Error><Code>AccessDenied</Code></Error>", { status: 403 });
  });
  const location = { endpoint: "store.example", bucket: "b", insecure: true, key: "k" };
  const env = {
    HTTP_PROXY: `http://127.0.0.1:${proxy.addr.port}`,
    AWS_ACCESS_KEY_ID: "machine",
    AWS_SECRET_ACCESS_KEY: "machine",
  };
  await withArtifacts(
    {},
    { n1: { a: { s3: { ...location, ...KEYS } } }, n2: { b: { s3: location } } },
    async ({ world, out }) => {
      assertEquals(await world.run("cp", "w", out, "--artifact-name", "a"), 1);
      assertEquals(new Set(requests), new Set(["store.example false"]));
      requests.length = 0;
      assertEquals(await world.run("cp", "w", out, "--artifact-name", "b"), 1);
      assertStringIncludes(world.errors, "There are no credentials for s3");
      assertEquals(requests, []);
    },
    env,
  );
  await proxy.shutdown();
});

Deno.test("get: shows the keys of output artifacts, and which are deleted", () =>
  withArtifacts({}, {}, async ({ world }) => {
    await world.client.patch<Workflow>(WORKFLOWS, "default", "w", {
      status: { outputs: { artifacts: [{ name: "report", ...at("w/report.tgz") }, { name: "old", deleted: true }] } },
    });
    assertEquals(await world.run("get", "w"), 0, world.errors);
    const lines = world.output.split("\n").map((line) => line.replaceAll(/ +/g, " "));
    const title = lines.indexOf("Output Artifacts:");
    assertEquals(lines.slice(title, title + 3), ["Output Artifacts:", " report: w/report.tgz", " old: deleted"]);
  }));
