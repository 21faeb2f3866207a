/** Tests of uploads, and of submissions with them, with the embedded store of a cluster. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { ArtifactRepository, Workflow } from "@tiphys/model/api";
import { locationOfRepository, placeOf, withKey } from "@tiphys/model/artifact/location";
import { CONFIGMAPS, WORKFLOW_TEMPLATES } from "@tiphys/kube";
import { ALLOW_ALL } from "@tiphys/base/net";
import { openPlace } from "@tiphys/service/artifacts";
import { serveArtifacts } from "../../local/embedded_artifacts.ts";
import { type Account, NAMESPACE, serverBench } from "../testing/server_bench.ts";
import { fileNameOf } from "../uploads/upload_key.ts";

const RIGHTS = [
  { verb: "get", group: "argoproj.io", resource: "workflowtemplates" },
  { verb: "create", group: "argoproj.io", resource: "workflows" },
  { verb: "get", group: "", resource: "secrets" },
  { verb: "get", group: "", resource: "configmaps" },
];
const SPEC = { entrypoint: "main", templates: [{ name: "main", suspend: {} }] };
const MAX_BYTES = 200_000;

/** A server with a store, and a template "t" with the artifact arguments "data", "other" and "whole". */
async function uploadBench({ hasRepository = true } = {}) {
  await using opened = new AsyncDisposableStack();
  const dataDir = await Deno.makeTempDir({ prefix: "uploads-" });
  opened.defer(() => Deno.remove(dataDir, { recursive: true }));
  const found: { repository?: ArtifactRepository } = {};
  const server = opened.use(
    await serverBench(["client"], {
      artifactRepository: () => hasRepository ? found.repository : undefined,
      maxUploadBytes: MAX_BYTES,
    }),
  );
  const store = opened.use(await serveArtifacts(server.api, { dataDir }));
  const { repository } = store;
  found.repository = repository;
  const location = locationOfRepository(repository)!;
  const whole = { name: "whole", ...withKey(location, "as/it/was") };
  const artifacts = [{ name: "data" }, { name: "other", raw: { data: "as it was" } }, whole];
  await server.admin.create(WORKFLOW_TEMPLATES, NAMESPACE, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "WorkflowTemplate",
    metadata: { name: "t" },
    spec: { ...SPEC, arguments: { artifacts } },
  });
  const open = async (key: string) =>
    await openPlace(server.admin, NAMESPACE, placeOf(withKey(location, key))!, { reach: ALLOW_ALL });
  const all = opened.move();
  return {
    server,
    repository,
    location,
    caller: await server.account(RIGHTS),
    async upload({ token }: Account, content: BodyInit, { argument = "data", file = "a.txt", headers = {} } = {}) {
      const body = form(content, file);
      const request = new Request(`http://server.test/upload-artifacts/${NAMESPACE}/t/${argument}`, {
        method: "POST",
        body,
        headers: { authorization: `Bearer ${token}`, ...body instanceof FormData ? {} : FORM, ...headers },
      });
      const response = await server.handler(request, { address: "192.0.2.1" });
      return { status: response.status, text: await response.text() };
    },
    async submit({ token }: Account, artifacts: readonly string[], resourceName = "t") {
      const body = { resourceKind: "WorkflowTemplate", resourceName, submitOptions: { artifacts } };
      const response = await server.ask("POST", `/api/v1/workflows/${NAMESPACE}/submit`, { token, body });
      return { status: response.status, text: await response.text() };
    },
    async stored(key: string) {
      await using artifact = await open(key);
      if (!("read" in artifact.driver)) throw new TypeError("expected a store of objects");
      const content = await artifact.driver.read(artifact.place, {}, new AbortController().signal);
      return new Uint8Array(await new Response(content).arrayBuffer());
    },
    async names() {
      await using artifact = await open("uploads");
      if (!("read" in artifact.driver)) throw new TypeError("expected a store of objects");
      return await Array.fromAsync(
        artifact.driver.list(artifact.place, new AbortController().signal),
        ({ name }) => name,
      );
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

const FORM = { "content-type": "multipart/form-data; boundary=B" };

function form(content: BodyInit, file: string): BodyInit {
  if (typeof content !== "string") return content;
  return [
    "--B",
    'Content-Disposition: form-data; name="note"',
    "",
    "something else",
    "--B",
    `Content-Disposition: form-data; name="file"; filename="${file}"`,
    "Content-Type: application/octet-stream",
    "",
    content,
    "--B--",
    "",
  ].join("\r\n");
}

Deno.test("upload: the file is stored under a unique key, with which its uploader submits the template", async () => {
  await using bench = await uploadBench();
  const { status, text } = await bench.upload(bench.caller, "the content");
  assertEquals(status, 200, text);
  const { name, key } = JSON.parse(text);
  assertEquals(name, "data");
  assertMatch(key, /^uploads\/tenant\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/a\.txt$/);
  assertEquals(new TextDecoder().decode(await bench.stored(key)), "the content");
  const submitted = await bench.submit(bench.caller, [`data=${key}`]);
  assertEquals(submitted.status, 200, submitted.text);
  const { spec } = JSON.parse(submitted.text) as Workflow;
  assertEquals(spec.arguments?.artifacts, [{ name: "data", s3: { key } }]);
});

Deno.test("upload: a browser's form is stored byte by byte", async () => {
  await using bench = await uploadBench();
  const bytes = Uint8Array.from({ length: 150_000 }, (_, index) => index % 251);
  const sent = new FormData();
  sent.append("file", new Blob([bytes]), "ä b.bin");
  const { status, text } = await bench.upload(bench.caller, sent);
  assertEquals(status, 200, text);
  const { key } = JSON.parse(text);
  assert(key.endsWith("/ä b.bin"), key);
  assertEquals(await bench.stored(key), bytes);
});

Deno.test("upload: a complete location is kept, and the namespace's repository takes precedence over the controller's", async () => {
  await using bench = await uploadBench({ hasRepository: false });
  const { admin } = bench.server;
  const none = await bench.upload(bench.caller, "x");
  assertEquals(none.status, 400, none.text);
  assert(none.text.includes("Artifact 'data' does not have a storage location configured"), none.text);
  await admin.create(CONFIGMAPS, NAMESPACE, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: "artifact-repositories",
      annotations: { "workflows.argoproj.io/default-artifact-repository": "usual" },
    },
    data: { usual: JSON.stringify(bench.repository) },
  });
  const { status, text } = await bench.upload(bench.caller, "x");
  assertEquals(status, 200, text);
  const kept = await bench.upload(bench.caller, "x", { argument: "whole" });
  const { key } = JSON.parse(kept.text);
  const submitted = await bench.submit(bench.caller, [`whole=${key}`, `data=${JSON.parse(text).key}`]);
  assertEquals(submitted.status, 200, submitted.text);
  const [argument] = (JSON.parse(submitted.text) as Workflow).spec.arguments?.artifacts ?? [];
  assertEquals(argument, { name: "whole", ...withKey(bench.location, key) });
  const raw = await bench.upload(bench.caller, "x", { argument: "other" });
  assertEquals([raw.status, raw.text], [400, "stores of kind raw do not support uploads\n"]);
});

Deno.test("upload: a submission fails with another user's key, an unknown key, or an unknown artifact name", async () => {
  await using bench = await uploadBench();
  const { key } = JSON.parse((await bench.upload(bench.caller, "mine")).text);
  const other = await bench.server.account(RIGHTS);
  const refused = async (caller: Account, pair: string) => {
    const { status, text } = await bench.submit(caller, [pair]);
    assertEquals(status, 400, text);
    return JSON.parse(text).message as string;
  };
  assertMatch(await refused(other, `data=${key}`), /does not belong to an upload of yours/);
  for (
    const changed of [
      key.replace("/a.txt", "/b.txt"),
      key.replace("uploads/tenant/", "uploads/tenant/../"),
      key.replace("uploads/tenant", "uploads/elsewhere"),
      `${key}/more`,
      "other",
      "uploads/tenant/00000000-0000-4000-8000-000000000000/a.txt",
    ]
  ) assertMatch(await refused(bench.caller, `data=${changed}`), /does not belong to an upload of yours/);
  assertEquals(await refused(bench.caller, `nosuch=${key}`), "artifact override(s) matched no artifact: nosuch");
  for (const pair of ["data", "data=", "=x"]) {
    assertEquals(await refused(bench.caller, pair), `expected artifact of the form: NAME=KEY. Received: ${pair}`);
  }
  assertEquals((await bench.submit(bench.caller, [`data=${key}`])).status, 200);
});

Deno.test("upload: a file that is too large or incomplete is rejected and not kept", async () => {
  await using bench = await uploadBench();
  const over = await bench.upload(bench.caller, "x".repeat(MAX_BYTES + 1));
  assertEquals(over.status, 413, over.text);
  const told = await bench.upload(bench.caller, "x", { headers: { "content-length": String(MAX_BYTES + 1) } });
  assertEquals(told.status, 413, told.text);
  const broken = new TextEncoder().encode(form("half of", "a.txt") as string).slice(0, -20);
  for (const chunk of [broken, broken.slice(0, 10), new Uint8Array()]) {
    const { status, text } = await bench.upload(bench.caller, ReadableStream.from([chunk]), { headers: FORM });
    assertEquals(status, 400, text);
  }
  for (const type of ["text/plain", "multipart/form-data"]) {
    const { status } = await bench.upload(bench.caller, "x", { headers: { "content-type": type } });
    assertEquals(status, 400, type);
  }
  assertEquals(await bench.names(), []);
});

Deno.test("upload: without permission, the file is not read", async () => {
  await using bench = await uploadBench();
  for (const missing of RIGHTS.slice(0, 2)) {
    const caller = await bench.server.account(RIGHTS.filter((right) => right !== missing));
    let isRead = false;
    const content = new ReadableStream({
      pull(controller) {
        isRead = true;
        controller.close();
      },
    }, { highWaterMark: 0 });
    assertEquals((await bench.upload(caller, content, { headers: FORM })).status, 403);
    assert(!isRead);
  }
  const blind = await bench.server.account(RIGHTS.slice(0, 2));
  assertEquals((await bench.upload(blind, "x")).status, 403);
  assertEquals((await bench.upload(bench.caller, "x", { argument: "nosuch" })).status, 404);
  const { token } = bench.caller;
  const other = await bench.server.ask("GET", `/upload-artifacts/${NAMESPACE}/t/data`, { token });
  assertEquals([other.status, await other.text()], [405, "Method not allowed\n"]);
});

Deno.test("upload: the key contains only the base name of the file, without template tags", async () => {
  assertEquals(["x", "C:\\a\\x", "..\\..\\x", "/a/x/", "a b.txt"].map(fileNameOf), ["x", "x", "x", "x", "a b.txt"]);
  await using bench = await uploadBench();
  for (const file of ["", "/", ".", "..", "a/..", "{{workflow.name}}", "a\tb", "x".repeat(256)]) {
    const { status, text } = await bench.upload(bench.caller, "x", { file });
    assertEquals(status, 400, `${file}: ${text}`);
  }
});
