/** Tests of artifacts through the server, from the embedded store of a cluster. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import type { Pod, Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { PODS, SECRETS, WORKFLOWS } from "@tiphys/kube";
import { StoreError } from "@tiphys/model/artifact";
import { untarAt } from "../../lib/artifacts/formats/testing/by_path.ts";
import { listingOf } from "../../lib/artifacts/formats/testing/raw_archives.ts";
import { Folder } from "@tiphys/base/confined";
import { ActionError } from "@tiphys/engine/workflow_actions";
import { ServerService } from "@tiphys/service/server";
import { artifactBench } from "../testing/artifact_bench.ts";
import { NAMESPACE, type ServerBench, serverBench } from "../testing/server_bench.ts";
import { entityTag } from "../wire/entity_tags.ts";

async function get(server: ServerBench, path: string, headers: Record<string, string> = {}, token?: string) {
  return await server.ask("GET", path, { headers, ...(token ? { token } : {}) });
}

const ONE = `/artifacts/${NAMESPACE}/w/w`;
const FILES = `/artifact-files/${NAMESPACE}/workflows/w/w/outputs`;

Deno.test("artifacts: are served unchanged, with headers that prevent scripts", async () => {
  await using bench = await artifactBench({ "report.html": "<script>alert(1)</script>" });
  for (const path of ["/artifacts", "/input-artifacts"]) {
    const response = await get(bench.server, `${path}/${NAMESPACE}/w/w/report.html`);
    assertEquals([response.status, await response.text()], [200, "<script>alert(1)</script>"]);
    const header = (name: string) => response.headers.get(name);
    assertEquals(header("content-type"), "text/html; charset=utf-8");
    assertEquals(header("content-disposition"), 'filename="report.html"');
    assert(header("content-security-policy")?.startsWith("sandbox allow-same-origin; base-uri 'none'"));
    assertEquals([header("x-frame-options"), header("x-content-type-options")], ["SAMEORIGIN", "nosniff"]);
    assertEquals(header("content-length"), "25");
  }
});

Deno.test("artifacts: scripts run only on request, in an opaque origin", async () => {
  await using bench = await artifactBench({ "report.html": "<script>alert(1)</script>" });
  const policy = async (query: string) =>
    (await get(bench.server, `${FILES}/report.html${query}`)).headers.get("content-security-policy") ?? "";
  assert((await policy("")).startsWith("sandbox allow-same-origin;"));
  const open = await policy("?scripts=true");
  assert(open.startsWith("sandbox allow-scripts; default-src 'none';"), open);
  // The policy allows no network, no files of this origin, no forms and no frames elsewhere.
  assertEquals(
    /allow-(?!scripts)|connect-src|-src[^;]*'self'/.exec(open),
    null,
  );
});

/** An S3 store without contents: every object has `size` bytes, which are generated on the fly. */
function endlessStore(size: number) {
  const chunk = new Uint8Array(65_536);
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ method, headers }) => {
    const from = Number(/bytes=(\d+)-/.exec(headers.get("range") ?? "")?.[1] ?? 0);
    let left = size - from;
    const body = new ReadableStream<Uint8Array>({
      pull(stream) {
        if (left === 0) return stream.close();
        const part = chunk.subarray(0, Math.min(left, chunk.length));
        left -= part.length;
        stream.enqueue(part);
      },
    }, { highWaterMark: 0 });
    const told = { "content-length": String(left), etag: '"e"', "content-range": `bytes ${from}-${size - 1}/${size}` };
    const status = headers.has("range") ? 206 : 200;
    return new Response(method === "HEAD" ? null : body, { status, headers: told });
  });
  return { endpoint: `127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("artifacts: fifty concurrent downloads need less memory than a few of their files (AR-157)", async () => {
  const size = 40 << 20;
  await using store = endlessStore(size);
  await using bench = await artifactBench({ large: "" });
  const workflow = await bench.server.admin.get(WORKFLOWS, NAMESPACE, "w") as Workflow;
  const repository = workflow.status!.artifactRepositoryRef!.artifactRepository!;
  repository.s3!.endpoint = store.endpoint;
  await bench.server.admin.replace(WORKFLOWS, NAMESPACE, workflow);
  const before = Deno.memoryUsage().rss;
  let max = 0;
  const look = () => max = Math.max(max, Deno.memoryUsage().rss - before);
  // All downloads start before any continues, so buffering would show fifty times.
  const readers = await Promise.all(Array.from({ length: 50 }, async () => {
    const reader = (await get(bench.server, `${ONE}/large`)).body!.getReader();
    return { reader, read: (await reader.read()).value!.length };
  }));
  look();
  const sizes = await Promise.all(readers.map(async ({ reader, read }) => {
    let all = read;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      all += part.value.length;
      look();
    }
    return all;
  }));
  assertEquals(sizes, readers.map(() => size));
  assert(max < 200 << 20, `50 downloads of ${size} bytes took ${max} bytes of memory`);
});

Deno.test("artifacts: artifacts of an archived workflow are found by name and by UID", async () => {
  await using bench = await artifactBench({ "a.txt": "text" });
  const paths = [
    `/artifacts/${NAMESPACE}/old/w/a.txt`,
    "/artifacts-by-uid/uid-old/w/a.txt",
    "/input-artifacts-by-uid/uid-old/w/a.txt",
    `/artifact-files/${NAMESPACE}/archived-workflows/uid-old/w/outputs/a.txt`,
    `/artifact-files/${NAMESPACE}/workflows/w/w/inputs/a.txt`,
  ];
  for (const path of paths) assertEquals(await (await get(bench.server, path)).text(), "text", path);
  const elsewhere = await get(bench.server, "/artifact-files/elsewhere/archived-workflows/uid-old/w/outputs/a.txt");
  assertEquals(elsewhere.status, 404);
  await elsewhere.body?.cancel();
});

Deno.test("artifacts: the URL of a folder ends in a slash and lists its children", async () => {
  await using bench = await artifactBench({
    "out/a.txt": "a",
    "out/sub/b.txt": "b",
    "out/sub/c.txt": "c",
    "out/<img onerror=alert(1)>": "d",
    "out/javascript:alert(1)": "e",
  });
  const { server } = bench;
  const first = await get(server, `${ONE}/out`);
  const base = new URL(`http://server.test${ONE}/out`);
  assertEquals(first.status, 307);
  assertEquals(new URL(first.headers.get("location")!, base).pathname, `${FILES}/out/`);
  const second = await get(server, `${FILES}/out`);
  assertEquals([second.status, second.headers.get("location")], [307, "./out/"]);
  const page = await (await get(server, `${FILES}/out/`)).text();
  assert(page.includes('<li><a href="..">..</a></li>') && page.includes('<li><a href="./a.txt">a.txt</a></li>'), page);
  assert(page.includes('<a href="./sub/">sub/</a>') && !page.includes("b.txt"), page);
  assert(page.includes('href="./javascript%3Aalert(1)"') && !page.includes("<img"), page);
  assertEquals((await get(server, `${FILES}/out/sub`)).headers.get("location"), "./sub/");
  assertEquals(await (await get(server, `${FILES}/out/sub/b.txt`)).text(), "b");
  const items = (await (await get(server, `${FILES}/out/sub/`, { accept: "application/json" })).json()).items;
  assertEquals(items, [{ name: "b.txt", size: 1 }, { name: "c.txt", size: 1 }]);
});

Deno.test("artifacts: a folder is served as one archive if the client accepts gzip (AR-26)", async () => {
  const large = "0123456789".repeat(30_000);
  await using bench = await artifactBench({
    "out/a.txt": "a",
    "out/sub/large": large,
    "out/none/": "",
    "outer/b": "b",
  });
  const response = await get(bench.server, `${FILES}/out/`, { accept: "application/gzip" });
  const header = (name: string) => response.headers.get(name);
  assertEquals([response.status, header("content-type"), header("content-disposition")], [
    200,
    "application/gzip",
    'filename="out.tgz"',
  ]);
  const folder = await Deno.makeTempDir();
  await Deno.writeFile(`${folder}/archive`, response.body!);
  await Deno.mkdir(`${folder}/in`);
  await untarAt(`${folder}/archive`, `${folder}/in`);
  const listed = listingOf(`${folder}/in`).map((line) => line.split(" ")[0]);
  assertEquals(listed, ["/out", "/out/a.txt", "/out/none", "/out/sub", "/out/sub/large"]);
  assertEquals(await Deno.readTextFile(`${folder}/in/out/sub/large`), large);
  await Deno.remove(folder, { recursive: true });
  const below = await get(bench.server, `${FILES}/out/sub/`, { accept: "application/gzip" });
  assertEquals(below.headers.get("content-disposition"), 'filename="sub.tgz"');
  await below.body?.cancel();
});

Deno.test("artifacts: a folder with an index.html redirects to it", async () => {
  await using bench = await artifactBench({ "site/index.html": "<p>hello", "site/a.css": "p{}" });
  const response = await get(bench.server, `${FILES}/site/`);
  assertEquals([response.status, response.headers.get("location")], [307, "./index.html"]);
  assertEquals(await (await get(bench.server, `${FILES}/site/index.html`)).text(), "<p>hello");
});

Deno.test("artifacts: a path cannot leave the artifact", async () => {
  await using bench = await artifactBench({ "out/a.txt": "a", "secret/b.txt": "b" });
  const hostile = ["..%2fsecret%2fb.txt", "..%5csecret", "sub//a.txt", "sub%2f..%2f..%2fsecret/b.txt", "a%00"];
  for (const path of hostile) {
    const response = await get(bench.server, `${FILES}/out/${path}`);
    const text = await response.text();
    assert([400, 404].includes(response.status), `${path}: ${response.status}`);
    assert(text !== "b", path);
  }
});

Deno.test("artifacts: a missing artifact, file, node or workflow is 404", async () => {
  await using bench = await artifactBench({ "a.txt": "a" });
  const status = async (path: string) => {
    const response = await get(bench.server, path);
    await response.body?.cancel();
    return response.status;
  };
  assertEquals(await status(`${ONE}/nothing`), 404);
  assertEquals(await status(`/artifacts/${NAMESPACE}/w/nobody/a.txt`), 404);
  assertEquals(await status(`/artifacts/${NAMESPACE}/nobody/w/a.txt`), 404);
  assertEquals(await status(`${FILES}/a.txt/`), 404);
  assertEquals(await status(`${FILES}/a.txt/b`), 404);
});

Deno.test("artifacts: the error of an unreachable store contains no keys and no bucket", async () => {
  await using bench = await artifactBench({ "a.txt": "a" });
  await bench.store[Symbol.asyncDispose]();
  const response = await get(bench.server, `${ONE}/a.txt`);
  const text = await response.text();
  assertEquals(response.status, 500, text);
  const { items } = await bench.server.admin.list<{ data?: Record<string, string> }>(SECRETS, NAMESPACE);
  const secrets = items.flatMap(({ data = {} }) => Object.values(data).map(atob));
  assert(secrets.length > 0);
  for (const hidden of [...secrets, "bucket", "a.txt?"]) assert(!text.includes(hidden), text);
});

Deno.test("artifacts: a garbage-collected artifact is 404 with a message that names garbage collection", async () => {
  await using bench = await artifactBench({ "a.txt": "a" });
  const { status } = await bench.server.admin.get<Workflow>(WORKFLOWS, NAMESPACE, "w");
  const artifacts = [{ name: "a.txt", s3: { key: "a.txt" }, deleted: true }];
  const nodes = { w: { ...status?.nodes?.w, outputs: { artifacts } } };
  await bench.server.admin.patch(WORKFLOWS, NAMESPACE, "w", { status: { nodes } });
  for (const path of [`${ONE}/a.txt`, `${FILES}/a.txt`]) {
    const response = await get(bench.server, path);
    assertEquals([response.status, await response.text()], [
      404,
      "artifact a.txt was deleted by garbage collection\n",
    ]);
  }
});

Deno.test("artifacts: serves a byte range", async () => {
  await using bench = await artifactBench({ "a.txt": "0123456789" });
  const cases: readonly (readonly [string, number, string, string | null])[] = [
    ["bytes=0-3", 206, "0123", "bytes 0-3/10"],
    ["bytes=7-", 206, "789", "bytes 7-9/10"],
    ["bytes=-2", 206, "89", "bytes 8-9/10"],
    ["bytes=5-99", 206, "56789", "bytes 5-9/10"],
    ["bytes=10-", 416, "", "bytes */10"],
    ["bytes=-0", 416, "", "bytes */10"],
    ["Bytes= 0-3", 206, "0123", "bytes 0-3/10"],
    ["bytes=5-2", 200, "0123456789", null],
    ["lines=0-3", 200, "0123456789", null],
    ["bytes=0-1,3-4", 200, "0123456789", null],
  ];
  for (const [range, status, text, told] of cases) {
    const response = await get(bench.server, `${ONE}/a.txt`, { range });
    const said = [response.status, await response.text(), response.headers.get("content-range")];
    assertEquals(said, [status, text, told], range);
  }
});

Deno.test("artifacts: HEAD responds with the headers and does not read the file", async () => {
  await using bench = await artifactBench({ "a.txt": "0123456789", "out/b.txt": "b" });
  const ask = async (method: string, path: string, headers: Record<string, string>) => {
    const response = await bench.server.ask(method, path, { headers });
    return { status: response.status, headers: [...response.headers], text: await response.text() };
  };
  const asked: readonly (readonly [path: string, headers?: Record<string, string>])[] = [
    [`${ONE}/a.txt`],
    [`${FILES}/a.txt`],
    [`${FILES}/out`],
    [`${FILES}/out/`],
    [`${FILES}/out/`, { accept: "application/gzip" }],
    [`${ONE}/nothing`],
  ];
  for (const [path, headers = {}] of asked) {
    const [head, whole] = [await ask("HEAD", path, headers), await ask("GET", path, headers)];
    assertEquals(head, { ...whole, text: "" }, path);
  }
  // A range is only honored for GET.
  assertEquals((await ask("HEAD", `${ONE}/a.txt`, { range: "bytes=0-3" })).status, 200);
  assertEquals((await ask("HEAD", `/upload-artifacts/${NAMESPACE}/t/a`, {})).status, 405);
  for (
    const [path, allowed] of [[`/upload-artifacts/${NAMESPACE}/t/a`, "POST"], [
      `${ONE}/a.txt`,
      "GET, HEAD, DELETE",
    ]] as const
  ) {
    const refused = await ask("PUT", path, {});
    assertEquals([refused.status, new Headers(refused.headers).get("allow")], [405, allowed]);
  }
  assertEquals((await ask("HEAD", "/api/v1/info", {})).status, 501);
});

Deno.test("artifacts: a matching If-None-Match is 304, and a range of a changed file is not served", async () => {
  await using bench = await artifactBench({ "a.txt": "0123456789" });
  const ask = async (headers: Record<string, string>) => {
    const response = await get(bench.server, `${ONE}/a.txt`, headers);
    return [response.status, await response.text()];
  };
  const first = await get(bench.server, `${ONE}/a.txt`);
  await first.body?.cancel();
  const tag = first.headers.get("etag") ?? "";
  assertMatch(tag, /^"[^"]+"$/);
  // Cached copies are revalidated: permissions end, and keys are overwritten.
  assertEquals(first.headers.get("cache-control"), "private, no-cache");
  for (const known of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
    assertEquals(await ask({ "if-none-match": known }), [304, ""], known);
  }
  for (const other of ['"x"', tag.slice(1, -1), ""]) {
    assertEquals(await ask({ "if-none-match": other }), [200, "0123456789"], other);
  }
  const range = "bytes=0-3";
  assertEquals(await ask({ range, "if-range": tag }), [206, "0123"]);
  for (const other of ['"x"', `W/${tag}`, "Sat, 01 Jan 2022 00:00:00 GMT"]) {
    assertEquals(await ask({ range, "if-range": other }), [200, "0123456789"], other);
  }
});

Deno.test("entityTag: converts a store's ETag into a valid header value, or undefined", () => {
  assertEquals(['"a"', 'W/"a"', "1700000000000001", "é", "", 'a"b"', "x".repeat(300), undefined].map(entityTag), [
    '"a"',
    'W/"a"',
    '"1700000000000001"',
    ...Array(5).fill(undefined),
  ]);
});

Deno.test("artifacts: a caller without permission to read the store's secrets is refused", async () => {
  await using bench = await artifactBench({ "a.txt": "a" }, ["client"]);
  const workflows = { verb: "get", group: "argoproj.io", resource: "workflows" };
  const caller = await bench.server.account([workflows]);
  const refused = await get(bench.server, `${ONE}/a.txt`, {}, caller.token);
  assertEquals(refused.status, 403);
  assert((await refused.text()).includes("secrets"));
  await caller.grant([workflows, { verb: "get", group: "", resource: "secrets" }]);
  bench.server.advanceClock(61_000);
  assertEquals(await (await get(bench.server, `${ONE}/a.txt`, {}, caller.token)).text(), "a");
});

/** A client of a server. */
function clientOf(server: ServerBench): ServerService {
  return new ServerService(async ({ method, path, headers, body, signal }) =>
    await server.ask(method, path, {
      headers,
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    })
  );
}

Deno.test("server client: reads the size of a file and of a folder, or the error", async () => {
  await using bench = await artifactBench({ "a.txt": "text", "out/b.txt": "b", "out/sub/c.txt": "cc" });
  const service = clientOf(bench.server);
  const workflow = await service.get(NAMESPACE, "w");
  const { signal } = new AbortController();
  const measure = (artifactName: string) =>
    service.measureArtifact(workflow, { nodeId: "w", artifactName }, { signal });
  assertEquals(await measure("a.txt"), { objects: 1, bytes: 4 });
  assertEquals(await measure("out"), { objects: 2, bytes: 3 });
  await assertRejects(() => measure("nothing"), StoreError, "the server answered 404");
});

Deno.test("server client: downloads a file or a folder, or reports the error", async () => {
  await using bench = await artifactBench({ "a.txt": "text", "out/b.txt": "b", "out/sub/c.txt": "c" });
  const service = clientOf(bench.server);
  const workflow = await service.get(NAMESPACE, "w");
  const top = await Deno.makeTempDir({ prefix: "cp-" });
  const signal = new AbortController().signal;
  using folder = Folder.open(top);
  const bring = async (artifactName: string) =>
    await service.loadArtifact(workflow, { nodeId: "w", artifactName }, {
      target: { folder, name: artifactName },
      signal,
    });
  await bring("a.txt");
  await bring("out");
  const read = async (path: string) => await Deno.readTextFile(`${top}/${path}`);
  assertEquals([await read("a.txt"), await read("out/b.txt"), await read("out/sub/c.txt")], ["text", "b", "c"]);
  await assertRejects(() => bring("nothing"), StoreError, "the server answered 404");
  assertEquals([...Deno.readDirSync(top)].map(({ name }) => name).sort(), ["a.txt", "out"]);
  await Deno.remove(top, { recursive: true });
});

Deno.test("server client: deletes only the given artifact, or reports the error", async () => {
  await using bench = await artifactBench({ "a.txt": "text", "out/b.txt": "b", "outer": "a neighbour" });
  const service = clientOf(bench.server);
  const { signal } = new AbortController();
  const workflow = await service.get(NAMESPACE, "w");
  const remove = (artifactName: string) => service.removeArtifact(workflow, { nodeId: "w", artifactName }, { signal });
  assertEquals(await remove("out"), 1);
  const { status } = await service.get(NAMESPACE, "w");
  const said = status!.nodes!.w!.outputs!.artifacts!.map(({ name, deleted = false }) => [name, deleted]);
  assertEquals(said, [["a.txt", false], ["out", true], ["outer", false]]);
  assertEquals(await (await get(bench.server, `${ONE}/outer`)).text(), "a neighbour");
  await assertRejects(() => remove("out"), ActionError, "was deleted");
  await assertRejects(() => remove("nothing"), ActionError, "has no output artifact nothing");
});

Deno.test("artifacts: deletion requires permission to update the workflow and to read the store's secrets", async () => {
  await using bench = await artifactBench({ "a.txt": "text" }, ["client"]);
  const { server } = bench;
  const workflows = { verb: "get", group: "argoproj.io", resource: "workflows" };
  const caller = await server.account([workflows, { verb: "get", group: "", resource: "secrets" }]);
  const refusal = async () => {
    const response = await server.ask("DELETE", `${ONE}/a.txt`, { token: caller.token });
    return { status: response.status, text: await response.text() };
  };
  const first = await refusal();
  assertEquals(first.status, 403);
  assert(first.text.includes("cannot update"), first.text);
  await caller.grant([workflows, { ...workflows, verb: "update" }]);
  server.advanceClock(61_000);
  const second = await refusal();
  assertEquals(second.status, 403);
  assert(second.text.includes("secrets"), second.text);
  const workflow = await server.admin.get(WORKFLOWS, NAMESPACE, "w") as Workflow;
  assertEquals(workflow.status!.nodes!.w!.outputs!.artifacts!.map(({ deleted }) => deleted), [undefined]);
});

Deno.test("artifacts: deletion is refused when workflows are restricted", async () => {
  const restriction = { templateReferencing: "Strict", opened: new Set<string>() } as const;
  await using server = await serverBench(["server"], { restriction: () => restriction });
  const refused = await server.ask("DELETE", `${ONE}/a.txt`);
  assertEquals(refused.status, 403);
  assert((await refused.text()).includes("when workflows are restricted"));
});

Deno.test("logs: archived logs are available after their pod and workflow are deleted", async () => {
  await using bench = await artifactBench({ "main-logs": "one\ntwo\nthree\n", "side-logs": "aside\n" });
  const lines = async (name: string, query = "") => {
    const response = await get(bench.server, `/api/v1/workflows/${NAMESPACE}/${name}/log?${query}`);
    const text = await response.text();
    return text.split("\n").filter(Boolean).map((line) => JSON.parse(line).result?.content ?? line);
  };
  for (const name of ["w", "old"]) {
    assertEquals(await lines(name), ["one", "two", "three"], name);
    assertEquals(await lines(name, "logOptions.container=main&logOptions.tailLines=2"), ["two", "three"], name);
    assertEquals(await lines(name, "logOptions.container=main&logOptions.tailLines=0"), [], name);
    assertEquals(await lines(name, "logOptions.container=main&logOptions.tailLines=9"), ["one", "two", "three"], name);
    assertEquals(await lines(name, "logOptions.container=side"), ["aside"], name);
    assertEquals(await lines(name, "logOptions.follow=true"), ["one", "two", "three"], name);
    assertEquals(await lines(name, "grep=t.o"), ["two"], name);
    assertEquals(await lines(name, "podName=another"), [], name);
    assertEquals(await lines(name, "logOptions.sinceTime=2026-11-01T00:00:00Z"), ["one", "two", "three"], name);
    assertEquals(await lines(name, "logOptions.sinceTime=2026-11-02T00:00:00Z"), [], name);
  }
});

Deno.test("logs: the log of an existing pod is read from the pod, and its archived log is not added", async () => {
  await using bench = await artifactBench({ "main-logs": "archived\n" });
  bench.server.api.useKubelet({
    logs: () => ReadableStream.from([new TextEncoder().encode("2026-11-01T00:01:00Z live\n")]),
    exec: () => Promise.reject(new Error("unexpected exec")),
  });
  await bench.server.admin.create<Pod>(PODS, NAMESPACE, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "w", namespace: NAMESPACE, labels: { [LABEL.workflow]: "w" } },
    spec: { containers: [{ name: "main", image: "busybox" }], nodeName: "here" },
  });
  const status = { phase: "Succeeded", containerStatuses: [{ name: "main", state: { terminated: { exitCode: 0 } } }] };
  await bench.server.admin.patch(PODS, NAMESPACE, "w", { status }, "merge", { subresource: "status" });
  const response = await get(bench.server, `/api/v1/workflows/${NAMESPACE}/w/log`);
  assertEquals(JSON.parse(await response.text()), { result: { content: "live", podName: "w" } });
});

Deno.test("fileHeaders: a name that is not a valid header value is encoded", async () => {
  const { fileHeaders } = await import("./headers.ts");
  const disposition = fileHeaders('x/a"b\r\nX: y ä.txt')["content-disposition"];
  assertEquals(disposition, `filename="a\\"b__X: y _.txt"; filename*=UTF-8''a%22b%0D%0AX%3A%20y%20%C3%A4.txt`);
});
