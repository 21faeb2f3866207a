import { assert, assertEquals, assertRejects } from "@std/assert";
import { fieldsOf } from "@tiphys/base/fields_of";
import { CONFIGMAPS } from "@tiphys/kube";
import { LIMITS } from "@tiphys/base/limits";
import { TextWorker } from "@tiphys/language/text_worker";
import { bodyBytes } from "./body.ts";
import { type GateClient, openGate } from "./access/gate.ts";
import { MAX_BODY_BYTES, MAX_WATCH_BACKLOG } from "./limits.ts";
import { createApiServer } from "./mod.ts";
import { StatusError } from "./status_error.ts";
import { readBody } from "./writing/write_request.ts";

const BLOCK = new Uint8Array(64 * 1024);

/** An endless body, with the number of bytes that were read. */
function endlessBody(): { body: ReadableStream<Uint8Array>; bytesRead: () => number } {
  let taken = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      taken += BLOCK.length;
      controller.enqueue(BLOCK);
    },
  });
  return { body, bytesRead: () => taken };
}

function post(body: ReadableStream<Uint8Array>, headers: Record<string, string> = {}): Request {
  return new Request("http://kubernetes.internal/api/v1/namespaces/a/configmaps", { method: "POST", body, headers });
}

Deno.test("bodies: the size limit applies while reading, and no more is read", async () => {
  const { body, bytesRead } = endlessBody();
  const api = createApiServer({ storePath: ":memory:" });
  const response = await api.handler(post(body));
  assertEquals([response.status, (await response.json()).message], [413, "Request entity too large: limit is 3145728"]);
  assert(bytesRead() <= MAX_BODY_BYTES + 4 * BLOCK.length, `${bytesRead()} bytes were taken`);
  api.close();
});

Deno.test("bodies: a body whose declared size is too large is not read", async () => {
  const { body, bytesRead } = endlessBody();
  await assertRejects(() => bodyBytes(post(body, { "content-length": "900000000" })), StatusError, "too large");
  assert(bytesRead() <= 2 * BLOCK.length);
});

Deno.test("bodies: a compressed body is refused, so that it cannot expand", async () => {
  const { body } = endlessBody();
  const error = await assertRejects(
    () => bodyBytes(post(body, { "content-encoding": "gzip" })),
    StatusError,
    "send it plain",
  );
  assertEquals(error.status.code, 415);
});

Deno.test("bodies: a large JSON body is parsed in a thread; its keys are limited, except for the administrator", async () => {
  const texts = new TextWorker();
  const read = (user: string, keys: number) => {
    const data = Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, "1"]));
    return readBody(post(new Response(JSON.stringify({ data })).body!), { texts, caller: { user } });
  };
  const pod = "system:serviceaccount:a:default";
  assertEquals(Object.keys(fieldsOf(fieldsOf(await read(pod, 2_000)).data)).length, 2_000);
  const error = await assertRejects(() => read(pod, LIMITS.bodyKeys), StatusError, "30000 different keys");
  assertEquals(error.status.code, 413);
  assertEquals(Object.keys(fieldsOf(fieldsOf(await read("admin", LIMITS.bodyKeys)).data)).length, LIMITS.bodyKeys);
  texts.close();
});

Deno.test("list: an invalid continue token is refused", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  for (const version of ["1e400", "-1", "0.5", "1e9", '"1"']) {
    const key = btoa(`{"version":${version},"after":"a"}`);
    const response = await api.handler(
      new Request(`http://kubernetes.internal/api/v1/configmaps?limit=1&continue=${key}`),
    );
    assertEquals([response.status, (await response.json()).message], [400, "continue key is not valid"], version);
  }
  api.close();
});

Deno.test("bodies: a body that does not end times out", async () => {
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(Uint8Array.of(123)) });
  const error = await assertRejects(() => bodyBytes(post(body), 5), StatusError, "did not arrive within");
  assertEquals(error.status.code, 408);
});

/** The response of a server to raw bytes, read at least to the end of its headers. */
async function answerTo(connection: Deno.Conn, text: string): Promise<string> {
  await connection.write(new TextEncoder().encode(text));
  let answer = "";
  const buffer = new Uint8Array(4096);
  while (!answer.includes("\r\n\r\n")) {
    const read = await connection.read(buffer);
    if (read === null) break;
    answer += new TextDecoder().decode(buffer.subarray(0, read));
  }
  return answer;
}

Deno.test("requests: without a token, the body is not read", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const served = await api.serve();
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(served.url).port) });
  const head = "POST /api/v1/namespaces/a/configmaps HTTP/1.1\r\nhost: a\r\ncontent-length: 900000000\r\n\r\n{";
  assert((await answerTo(connection, head)).startsWith("HTTP/1.1 401"));
  await served.close();
  api.close();
});

Deno.test("watch: an unread watch is ended, and events until then can still be read", async () => {
  const api = createApiServer({ storePath: ":memory:", history: { events: 10, bytes: 1024 } });
  const answer = await api.handler(new Request("http://kubernetes.internal/api/v1/configmaps?watch=true"));
  const client = api.client();
  const data = { text: "x".repeat(1024 * 1024) };
  const made = MAX_WATCH_BACKLOG / data.text.length + 10;
  for (let count = 0; count < made; count++) {
    await client.create(CONFIGMAPS, "default", { metadata: { name: `c-${count}` }, data });
  }
  let bytes = 0;
  for await (const chunk of answer.body!) bytes += chunk.length;
  assert(bytes > MAX_WATCH_BACKLOG && bytes < MAX_WATCH_BACKLOG + 3 * data.text.length, `${bytes} bytes`);
  api.close();
});

Deno.test("watch: an invalid timeout is refused", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const answer = await api.handler(new Request("http://kubernetes.internal/api/v1/pods?watch=true&timeoutSeconds=x"));
  assertEquals(answer.status, 400);
  await answer.body?.cancel();
  api.close();
});

/** A gate whose responses are always "here". */
async function withGate(
  limits: { maxConnections?: number; answeredWithinMs?: number },
  test: (connect: () => Promise<Deno.Conn>) => Promise<void>,
  changed: (listener: Deno.TcpListener) => Deno.TcpListener = (listener) => listener,
  onRequest: (request: Request, client: GateClient) => void = () => {},
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const answer = (request: Request, client: GateClient) => {
    onRequest(request, client);
    return new Response("here");
  };
  const gate = openGate({ listener: changed(listener), folder, answer, ...limits });
  try {
    await test(() => Deno.connect({ hostname: "127.0.0.1", port: (listener.addr as Deno.NetAddr).port }));
  } finally {
    await gate[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
  }
}

const GET = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

/** Resolves when the other side has closed the connection. */
async function untilClosed(connection: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(1024);
  while (await connection.read(buffer).catch(() => null) !== null);
}

Deno.test("gate: above the maximum of connections, the least recently used one is closed", () =>
  withGate({ maxConnections: 2 }, async (connect) => {
    using first = await connect();
    assert((await answerTo(first, GET)).startsWith("HTTP/1.1 200"));
    using second = await connect();
    assert((await answerTo(second, GET)).startsWith("HTTP/1.1 200"));
    using third = await connect();
    await untilClosed(first);
    assert((await answerTo(third, GET)).startsWith("HTTP/1.1 200"));
    assert((await answerTo(second, GET)).startsWith("HTTP/1.1 200"));
  }));

Deno.test("gate: an idle connection, or one with an incomplete request, is closed", () =>
  withGate({ answeredWithinMs: 20 }, async (connect) => {
    using silent = await connect();
    await untilClosed(silent);
    using slow = await connect();
    await slow.write(new TextEncoder().encode("GET / HTTP/1.1\r\nhost:"));
    await untilClosed(slow);
  }));

Deno.test("gate: a client that is not read from stays connected, and continues afterwards", () => {
  let resume: (() => void) | undefined;
  const onRequest = (_request: Request, client: GateClient) => void (resume ??= client.pauseReading());
  return withGate(
    { answeredWithinMs: 500 },
    async (connect) => {
      using client = await connect();
      assert((await answerTo(client, GET)).startsWith("HTTP/1.1 200"));
      await client.write(new TextEncoder().encode(GET + GET));
      // An idle client is closed while the other one is held back.
      using silent = await connect();
      await untilClosed(silent);
      resume!();
      assert((await answerTo(client, "")).startsWith("HTTP/1.1 200"));
    },
    undefined,
    onRequest,
  );
});

Deno.test("gate: above the maximum of connections, the user and then the pod with the most connections loses one", () => {
  const onRequest = ({ url }: Request, client: GateClient) => {
    const [, user = "", pod] = new URL(url).pathname.split("/");
    client.identify(user, pod);
  };
  return withGate(
    { maxConnections: 5 },
    async (connect) => {
      const open = async (path: string) => {
        const connection = await connect();
        assert((await answerTo(connection, `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`)).startsWith("HTTP/1.1 200"));
        return connection;
      };
      using admin = await open("/admin");
      using quiet = await open("/pods/quiet");
      using first = await open("/pods/greedy");
      using second = await open("/pods/greedy");
      using third = await open("/pods/greedy");
      using fourth = await open("/pods/greedy");
      await untilClosed(first);
      using fifth = await open("/pods/greedy");
      await untilClosed(second);
      for (const left of [admin, quiet, third, fourth, fifth]) {
        assert((await answerTo(left, GET)).startsWith("HTTP/1.1 200"));
      }
    },
    undefined,
    onRequest,
  );
});

Deno.test("gate: a client that disconnects before it is accepted does not affect others", () => {
  let isFirst = true;
  // Some systems refuse socket options of a disconnected client.
  const refusing = (listener: Deno.TcpListener) =>
    ({
      accept: async () => {
        const connection = await listener.accept();
        if (isFirst) {
          connection.setNoDelay = () => {
            throw new Deno.errors.InvalidData("Invalid argument (os error 22)");
          };
        }
        isFirst = false;
        return connection;
      },
      close: () => listener.close(),
    }) as Deno.TcpListener;
  return withGate({}, async (connect) => {
    using gone = await connect();
    await untilClosed(gone);
    using other = await connect();
    assert((await answerTo(other, GET)).startsWith("HTTP/1.1 200"));
  }, refusing);
});

Deno.test("bodies: a body that is nested too deeply is rejected with the path, and repeated patches cannot create it", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const lists = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  const CONFIGMAPS = "api/v1/namespaces/a/configmaps";
  const send = async (method: string, path: string, type: string, body: string, collection = CONFIGMAPS) => {
    const request = new Request(`http://kubernetes.internal/${collection}${path}`, {
      method,
      body,
      headers: { "content-type": type },
    });
    const response = await api.handler(request);
    return { status: response.status, message: String((await response.json()).message) };
  };
  const metadata = { name: "c" };
  for (
    const [path, type, body] of [
      ["", "application/json", `{"metadata":{"name":"d"},"data":${lists(30_000)}}`],
      ["", "application/json", `{"metadata":{"name":"d"},"data":${lists(200)}}`],
      ["/c", "application/merge-patch+json", `{"data":${lists(200)}}`],
      ["", "application/yaml", `metadata: {name: d}\ndata: ${lists(30_000)}`],
      ["/c", "application/merge-patch+json", `{"data":${lists(30_000)}}`],
      ["/c", "application/strategic-merge-patch+json", `{"data":${lists(3000)}}`],
      ["/c", "application/json-patch+json", `[{"op":"add","path":"/data","value":${lists(30_000)}}]`],
      ["/c?fieldManager=a", "application/apply-patch+yaml", `{"data":${lists(30_000)}}`],
    ] as const
  ) {
    const { status, message } = await send(path === "" ? "POST" : "PATCH", path, type, body);
    assertEquals([status, message.endsWith("levels deep")], [400, true], `${type}: ${message}`);
  }
  const workflows = "apis/argoproj.io/v1alpha1/namespaces/a/workflows";
  const made = JSON.stringify({ kind: "Workflow", metadata, spec: {}, status: {} });
  assertEquals((await send("POST", "", "application/json", made, workflows)).status, 201);
  const patch = (levels: number) => `[{"op":"add","path":"/status/x${"/0".repeat(levels)}","value":${lists(150)}}]`;
  assertEquals((await send("PATCH", "/c", "application/json-patch+json", patch(0), workflows)).status, 200);
  const { status, message } = await send("PATCH", "/c", "application/json-patch+json", patch(149), workflows);
  assertEquals([status, message.endsWith("200 levels deep")], [422, true], message);
  api.close();
});

Deno.test("patches: a patch that multiplies content is rejected, and the server continues to respond", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const client = api.client();
  await client.create(CONFIGMAPS, "a", { metadata: { name: "c", annotations: { a: "x".repeat(1000) } } });
  const patch = async (type: string, body: unknown, query = "") => {
    const response = await api.handler(
      new Request(`http://kubernetes.internal/api/v1/namespaces/a/configmaps/c${query}`, {
        method: "PATCH",
        body: JSON.stringify(body),
        headers: { "content-type": type },
      }),
    );
    return { code: response.status, message: String((await response.json()).message) };
  };
  const doubling = Array.from(
    { length: 27 },
    (_, index) => ({ op: "copy", from: "/metadata/annotations", path: `/metadata/annotations/b${index}` }),
  );
  const doubled = await patch("application/json-patch+json", doubling);
  assertEquals([doubled.code, doubled.message.includes("more than the limit")], [422, true], doubled.message);
  const many = Array.from({ length: 20_000 }, () => ({ op: "add", path: "/data", value: {} }));
  assertEquals((await patch("application/json-patch+json", many)).code, 422);
  const large = { data: { a: "x".repeat(2_000_000) } };
  assertEquals((await patch("application/merge-patch+json", large)).code, 422);
  assertEquals((await patch("application/strategic-merge-patch+json", large)).code, 422);
  const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, ...large };
  assertEquals((await patch("application/apply-patch+yaml", applied, "?fieldManager=a")).code, 422);
  const managedFields = Array.from({ length: 1000 }, (_, index) => ({
    manager: `m${index}`,
    operation: "Update",
    apiVersion: "v1",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": { "f:a": {} } },
  }));
  const owned = await patch("application/merge-patch+json", { metadata: { managedFields } });
  assertEquals([owned.code, owned.message.includes("must have at most 64 items")], [400, true], owned.message);
  assertEquals(Object.keys((await client.get(CONFIGMAPS, "a", "c")).metadata.annotations ?? {}), ["a"]);
  api.close();
});

Deno.test("apply: an error with many conflicts lists the first ones and counts the others", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const apply = async (manager: string, value: string) => {
    const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, value]));
    const response = await api.handler(
      new Request(`http://kubernetes.internal/api/v1/namespaces/a/configmaps/c?fieldManager=${manager}`, {
        method: "PATCH",
        body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data }),
        headers: { "content-type": "application/apply-patch+yaml" },
      }),
    );
    return { code: response.status, text: await response.text() };
  };
  assertEquals((await apply("one", "1")).code, 201);
  const { code, text } = await apply("two", "2");
  assertEquals([code, text.includes("Apply failed with 20000 conflicts"), text.length < 30_000], [409, true, true]);
  api.close();
});

Deno.test("bodies: a body that is too large to store, or expensive YAML, is rejected before its fields are checked", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const send = async (type: string, body: string) => {
    const isApply = type.includes("apply");
    const path = `/api/v1/namespaces/a/configmaps${isApply ? "/c?fieldManager=a" : ""}`;
    const headers = { "content-type": type };
    const method = isApply ? "PATCH" : "POST";
    const response = await api.handler(new Request(`http://kubernetes.internal${path}`, { method, body, headers }));
    return [response.status, String((await response.json()).message ?? "")] as const;
  };
  const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n";
  const lines = (count: number, line: (index: number) => string) =>
    head + Array.from({ length: count }, (_, index) => line(index)).join("");
  for (const type of ["application/yaml", "application/apply-patch+yaml"]) {
    assertEquals(await send(type, lines(100_000, (at) => `  k${at}: &a${at} v\n`)), [
      413,
      "Request entity too large: limit of YAML is 524288",
    ]);
    const [status, message] = await send(type, lines(15_000, (at) => `  k${at}: &a${at} v\n`));
    assertEquals([status, message.includes("aliases and anchors")], [400, true], message);
  }
  const data = Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`key${index}`, "v"]));
  const large = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data });
  for (const type of ["application/json", "application/apply-patch+yaml"]) {
    assertEquals(await send(type, large), [413, "etcdserver: request is too large"]);
  }
  const padded = `{"metadata":{"name":"c"},"data":{}${" ".repeat(2_000_000)}}`;
  assertEquals((await send("application/json", padded))[0], 201);
  api.close();
});

Deno.test("list: a selector with more requirements than the limit is refused before it is compared with objects", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const statusOf = async (query: string) => {
    const answer = await api.handler(new Request(`http://kubernetes.internal/api/v1/configmaps?${query}`));
    await answer.body?.cancel();
    return answer.status;
  };
  for (const watch of ["", "&watch=true"]) {
    assertEquals(await statusOf(`labelSelector=${encodeURIComponent("a>0,".repeat(10_000))}a>0${watch}`), 400);
    assertEquals(await statusOf(`fieldSelector=${"metadata.name!=a,".repeat(3_000)}metadata.name!=b${watch}`), 400);
  }
  api.close();
});

Deno.test("errors: an object with many errors below a long name is refused with the first ones, and a count", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const workflows = "apis/argoproj.io/v1alpha1/namespaces/a/workflows?fieldValidation=Strict";
  const refusalOf = async (hook: unknown) => {
    const spec = { entrypoint: "a", templates: [{ name: "a", suspend: {} }], hooks: { ["h".repeat(100_000)]: hook } };
    const body = JSON.stringify({ kind: "Workflow", metadata: { name: "w" }, spec });
    const response = await api.handler(
      new Request(`http://kubernetes.internal/${workflows}`, { method: "POST", body }),
    );
    const text = await response.text();
    return [response.status, text.includes("and 900 more"), text.length < 150_000];
  };
  const names = Array.from({ length: 1_000 }, (_, index) => [`unknown${index}`, 1]);
  assertEquals(await refusalOf({ template: "a", ...Object.fromEntries(names) }), [400, true, true]);
  const parameters = Array.from({ length: 1_000 }, () => 1);
  assertEquals(await refusalOf({ template: "a", arguments: { parameters } }), [422, true, true]);
  api.close();
});

Deno.test("bodies: a message of protobuf may have as many parts as JSON may have lists and objects", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const lengthOf = (
    bytes: readonly number[],
  ) => [bytes.length & 127 | 128, bytes.length >> 7 & 127 | 128, bytes.length >> 14];
  const field = (number: number, bytes: readonly number[]) => [number << 3 | 2, ...lengthOf(bytes), ...bytes];
  const text = (value: string) => [...new TextEncoder().encode(value)];
  const type = field(1, [...field(1, text("v1")), ...field(2, text("Pod"))]);
  const containers = Array.from({ length: LIMITS.bodyLists }, () => [2 << 3 | 2, 0]).flat();
  const body = new Uint8Array([0x6b, 0x38, 0x73, 0, ...type, ...field(2, field(2, containers))]);
  const response = await api.handler(
    new Request("http://kubernetes.internal/api/v1/namespaces/a/pods", {
      method: "POST",
      body,
      headers: { "content-type": "application/vnd.kubernetes.protobuf" },
    }),
  );
  const { message } = await response.json();
  assertEquals([response.status, message.includes("more than 150000 parts")], [400, true], message);
  api.close();
});
