/** Tests of gRPC over a real connection, with a client that shares no protocol code with the server. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { DESCRIPTORS, MESSAGES, METHODS, readMessage, writeMessage } from "@tiphys/proto";
import { WORKFLOWS } from "@tiphys/kube";
import type { Workflow } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import { ownCertificate } from "@tiphys/base/x509";
import { awaitFact } from "../../tests/await_fact.ts";
import { listen } from "../listen/listen.ts";
import { ROUTES } from "../table.ts";
import { GrpcClient, isServiceError } from "../testing/grpc_client.ts";
import { NAMESPACE, type ServerBench, serverBench } from "../testing/server_bench.ts";
import { CODE } from "../wire/errors.ts";
import { trailersOf } from "../wire/trailers.ts";
import { bridgeMethods } from "./bridge.ts";

const WORKFLOW = "/workflow.WorkflowService";
const WF = { group: "argoproj.io", resource: "workflows" };
const ALL = ["get", "list", "watch", "create", "update", "patch", "delete"];

interface GrpcBench extends AsyncDisposable {
  readonly bench: ServerBench;
  readonly client: GrpcClient;
  readonly port: number;
  /** The token of a caller with all permissions on workflows. */
  readonly token: string;
}

interface BenchOptions {
  readonly tls?: boolean;
  readonly gzip?: boolean;
  readonly server?: Parameters<typeof serverBench>[1];
}

async function grpcBench({ tls = false, gzip = false, server = {} }: BenchOptions = {}): Promise<GrpcBench> {
  const bench = await serverBench(["client"], server);
  const certificate = tls ? ownCertificate("ArgoProj", new Date()) : undefined;
  const listening = await listen({ hostname: "127.0.0.1", port: 0, tls: certificate, handler: bench.handler });
  const client = new GrpcClient(`127.0.0.1:${listening.port}`, { gzip, rootCertificate: certificate?.cert });
  const { token } = await bench.account(ALL.map((verb) => ({ verb, ...WF })));
  return {
    bench,
    client,
    port: listening.port,
    token,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await listening.close();
      await bench[Symbol.asyncDispose]();
    },
  };
}

Deno.test("gRPC health: reports all services without credentials, and rejects unknown ones", async () => {
  await using grpc = await grpcBench();
  const client = new Client(`127.0.0.1:${grpc.port}`, credentials.createInsecure());
  const ask = (service: string) =>
    new Promise<string>((resolve) =>
      client.makeUnaryRequest(
        "/grpc.health.v1.Health/Check",
        (name: string) => Buffer.from(name === "" ? [] : [0x0a, name.length, ...new TextEncoder().encode(name)]),
        (bytes: Buffer) => bytes.toString("hex"),
        service,
        (error, answer) => resolve(error ? `${error.code} ${error.details}` : answer ?? ""),
      )
    );
  try {
    assertEquals(await ask(""), "0801");
    assertEquals(await ask("workflow.WorkflowService"), "0801");
    assertEquals(await ask("workflow.Nothing"), "5 unknown service");
  } finally {
    client.close();
  }
});

Deno.test("gRPC health: a watch reports the status at once and lasts until it is canceled or its deadline", async () => {
  await using grpc = await grpcBench();
  const client = new Client(`127.0.0.1:${grpc.port}`, credentials.createInsecure());
  const watch = (service: string, deadline: number) =>
    client.makeServerStreamRequest(
      "/grpc.health.v1.Health/Watch",
      (name: string) => Buffer.from(name === "" ? [] : [0x0a, name.length, ...new TextEncoder().encode(name)]),
      (bytes: Buffer) => bytes.toString("hex"),
      service,
      new Metadata(),
      { deadline: Date.now() + deadline },
    );
  try {
    for (
      const [service, status] of [["", "0801"], ["sync.SyncService", "0801"], ["workflow.Nothing", "0803"]] as const
    ) {
      const stream = watch(service, 60_000).on("error", () => {});
      assertEquals(await new Promise((resolve) => stream.once("data", resolve)), status, service);
      stream.cancel();
    }
    const ended = watch("", 300).on("data", () => {});
    const { code } = await new Promise<{ code: number }>((resolve) => ended.once("error", resolve as never));
    assertEquals(code, CODE.deadlineExceeded);
  } finally {
    client.close();
  }
});

Deno.test("gRPC reflection: describes all messages if enabled, otherwise the service is unknown", async () => {
  for (const version of ["v1", "v1alpha"]) {
    for (const reflects of [true, false]) {
      await using grpc = await grpcBench({ server: { reflects } });
      const client = new Client(`127.0.0.1:${grpc.port}`, credentials.createInsecure());
      const stream = client.makeBidiStreamRequest(
        `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
        (question: object) => Buffer.from(writeMessage(DESCRIPTORS.get("reflection.Request")!, question)),
        (bytes: Buffer) => readMessage(DESCRIPTORS.get("reflection.Response")!, bytes) as ReflectionResponse,
      );
      const ask = (question: object) =>
        new Promise<ReflectionResponse>((resolve, reject) => {
          stream.once("data", resolve).once("error", reject);
          stream.write(question);
        });
      try {
        if (!reflects) {
          const error = await assertRejects(() => ask({ listServices: "" }));
          assertStringIncludes(String(error), `unknown service grpc.reflection.${version}.ServerReflection`);
          continue;
        }
        const { listServicesResponse } = await ask({ listServices: "" });
        const names = listServicesResponse?.service.map(({ name }) => name) ?? [];
        for (const { path } of METHODS) assert(names.includes(path.split("/")[1]!), path);
        const sent = async (question: object) =>
          (await ask(question)).fileDescriptorResponse?.fileDescriptorProto.map((bytes) => fileNameIn(bytes)) ?? [];
        const files = await sent({ fileContainingSymbol: "workflow.WorkflowService" });
        assertEquals([files[0], new Set(files).size], ["workflow.proto", files.length]);
        assert(files.includes("argo.proto") && files.includes("core.proto"), files.join());
        assertEquals(await sent({ fileByFilename: "argo.proto" }), ["argo.proto"]);
        const { errorResponse } = await ask({ fileContainingSymbol: "nobody.Knows" });
        assertEquals(errorResponse, { errorCode: CODE.notFound, errorMessage: "unknown symbol or file: nobody.Knows" });
        stream.end();
      } finally {
        stream.cancel();
        client.close();
      }
    }
  }
});

/** The fields of a reflection response that the test reads. */
interface ReflectionResponse {
  readonly listServicesResponse?: { readonly service: readonly { readonly name: string }[] };
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: readonly string[] };
  readonly errorResponse?: { readonly errorCode: number; readonly errorMessage: string };
}

function fileNameIn(base64: string): string {
  const message = DESCRIPTORS.get("google.protobuf.FileDescriptorProto")!;
  return (readMessage(message, Uint8Array.fromBase64(base64)) as { name: string }).name;
}

const HELLO = {
  metadata: { generateName: "hello-" },
  spec: { entrypoint: "main", templates: [{ name: "main", container: { image: "busybox", command: ["true"] } }] },
};

function workflowNamed(name: string, spec: object = HELLO.spec) {
  return { metadata: { name }, spec };
}

for (const tls of [false, true]) {
  Deno.test(`gRPC: a workflow is created, read, listed and deleted ${tls ? "over TLS" : "in plain text"}`, async () => {
    await using there = await grpcBench({ tls });
    const { client, token } = there;
    const items = [0, "a", { k: null }];
    const steps = [[{ name: "one", template: "main", withItems: items }]];
    const spec = { ...HELLO.spec, templates: [...HELLO.spec.templates, { name: "s", steps }], priority: 0 };
    const workflow = workflowNamed("first", spec);
    const { answer, header } = await client.call(
      `${WORKFLOW}/CreateWorkflow`,
      { namespace: NAMESPACE, workflow },
      { token },
    );
    const made = answer as Workflow;
    assertEquals([made.metadata.name, made.metadata.namespace], ["first", NAMESPACE]);
    assertEquals(made.spec.priority, 0);
    assertEquals(made.spec.templates?.[1]?.steps?.[0]?.[0]?.withItems, items);
    assertEquals(header.get("argo-version").length, 1);
    const found = await client.call(`${WORKFLOW}/GetWorkflow`, { namespace: NAMESPACE, name: "first" }, { token });
    assertEquals((found.answer as Workflow).metadata.uid, made.metadata.uid);
    await awaitFact("the server's cache contains it", async () => {
      const list = await client.call(`${WORKFLOW}/ListWorkflows`, { namespace: NAMESPACE }, { token });
      return (list.answer as { items?: Workflow[] }).items?.[0]?.metadata.name === "first";
    }, { seconds: 10 });
    await client.call(`${WORKFLOW}/DeleteWorkflow`, { namespace: NAMESPACE, name: "first" }, { token });
    const gone = await client.refusal(`${WORKFLOW}/GetWorkflow`, { namespace: NAMESPACE, name: "first" }, { token });
    assertEquals(gone.code, CODE.notFound);
    assertStringIncludes(gone.details, '"first" not found');
  });
}

Deno.test("gRPC: REST is served on the same port", async () => {
  await using there = await grpcBench();
  const { port, token } = there;
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/workflows/${NAMESPACE}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assertEquals(response.status, 200);
  assertEquals((await response.json()).items, null);
});

Deno.test("gRPC: every method authenticates before it reads the message", async () => {
  await using there = await grpcBench();
  const paths = [...bridgeMethods(METHODS, ROUTES).keys()];
  assert(paths.length >= 40, String(paths.length));
  for (const path of paths) {
    const nobody = await there.client.refusal(path, Uint8Array.of(0xff, 0xff, 0xff));
    assertEquals(nobody.code, CODE.unauthenticated, path);
    assertStringIncludes(nobody.details, "token not valid");
    const unknown = await there.client.refusal(path, {}, { token: "nobody" });
    assertEquals(unknown.code, CODE.unauthenticated, path);
  }
});

Deno.test("gRPC: the refusal names the missing permission, whether the workflow exists or not", async () => {
  await using there = await grpcBench();
  const { bench, client, token } = there;
  await client.call(`${WORKFLOW}/CreateWorkflow`, { namespace: NAMESPACE, workflow: workflowNamed("there") }, {
    token,
  });
  const stranger = await bench.account([]);
  const texts = await Promise.all(["there", "absent"].map(async (name) => {
    const message = { namespace: NAMESPACE, name };
    const { code, details } = await client.refusal(`${WORKFLOW}/GetWorkflow`, message, { token: stranger.token });
    assertEquals(code, CODE.permissionDenied);
    return details.replace(name, "NAME");
  }));
  assertEquals(texts[0], texts[1]);
});

Deno.test("gRPC: the error names an unknown service or method", async () => {
  await using there = await grpcBench();
  const { client, token } = there;
  assertEquals(await client.refusal("/workflow.WorkflowService/Nope", {}, { token }), {
    code: CODE.unimplemented,
    details: "unknown method Nope for service workflow.WorkflowService",
  });
  assertEquals(await client.refusal("/x.Y/Z", {}, { token }), {
    code: CODE.unimplemented,
    details: "unknown service x.Y",
  });
});

Deno.test("gRPC: an invalid message and an invalid name are client errors", async () => {
  await using there = await grpcBench();
  const { client, token } = there;
  const broken = await client.refusal(`${WORKFLOW}/GetWorkflow`, Uint8Array.of(0x0a, 200), { token });
  assertEquals(broken.code, CODE.invalidArgument);
  assertStringIncludes(broken.details, "workflow.WorkflowGetRequest");
  const message = { namespace: NAMESPACE, name: "../../secrets/x" };
  const path = await client.refusal(`${WORKFLOW}/GetWorkflow`, message, { token });
  assertEquals(path.code, CODE.invalidArgument);
  assertStringIncludes(path.details, "name: expected a name");
});

Deno.test("gRPC: the error for an invalid workflow names the location", async () => {
  await using there = await grpcBench();
  const { client, token } = there;
  const workflow = workflowNamed("zwölf", { entrypoint: "nöwhere", templates: HELLO.spec.templates });
  const { code, details } = await client.refusal(
    `${WORKFLOW}/LintWorkflow`,
    { namespace: NAMESPACE, workflow },
    { token },
  );
  assertEquals(code, CODE.invalidArgument);
  assertStringIncludes(details, "nöwhere");
});

Deno.test("gRPC: requests may be compressed", async () => {
  await using there = await grpcBench({ gzip: true });
  const { client, token } = there;
  const annotations = { long: "a".repeat(100_000) };
  const workflow = { metadata: { name: "squeezed", annotations }, spec: HELLO.spec };
  const { answer } = await client.call(`${WORKFLOW}/CreateWorkflow`, { namespace: NAMESPACE, workflow }, { token });
  assertEquals((answer as Workflow).metadata.annotations?.long?.length, 100_000);
});

Deno.test("gRPC: a response is compressed if the request was and the client accepts it", async () => {
  await using bench = await serverBench(["client"]);
  const { token } = await bench.account([{ verb: "create", ...WF }]);
  const create = MESSAGES.get("workflow.WorkflowCreateRequest")!;
  const metadata = { name: "dry", annotations: { long: "a".repeat(100_000) } };
  const createOptions = { dryRun: ["All"] };
  const bytes = writeMessage(create, { namespace: NAMESPACE, workflow: { metadata, spec: HELLO.spec }, createOptions });
  for (const [sent, accepted, expected] of [["gzip", "gzip", 1], ["gzip", "identity", 0], ["", "gzip", 0]] as const) {
    const data = sent ? gzipSync(bytes) : bytes;
    const request = new Request(`http://server.test${WORKFLOW}/CreateWorkflow`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/grpc",
        ...(sent && { "grpc-encoding": sent }),
        ...(accepted && { "grpc-accept-encoding": accepted }),
      },
      body: encodeEnvelope(sent ? 1 : 0, data),
    });
    const response = await bench.handler(request, { address: "192.0.2.1", isHttp2: true });
    const [flags = NaN] = await response.bytes();
    assertEquals([flags, response.headers.get("grpc-encoding")], [expected, expected ? "gzip" : null]);
    assertEquals(trailersOf(response)?.().get("grpc-status"), "0");
  }
});

Deno.test("gRPC: a message above the route's limit is rejected, compressed or not", async () => {
  const tooLarge = new Uint8Array(LIMITS.bodyBytes + 1);
  for (const gzip of [false, true]) {
    await using there = await grpcBench({ gzip });
    const { client, token } = there;
    const { code } = await client.refusal(`${WORKFLOW}/CreateWorkflow`, tooLarge, { token });
    assertEquals(code, CODE.resourceExhausted);
    await client.call(`${WORKFLOW}/ListWorkflows`, { namespace: NAMESPACE }, { token });
  }
});

Deno.test("gRPC: a watch streams changes, and its client may disconnect", async () => {
  await using there = await grpcBench();
  const { bench, client, token } = there;
  const stream = client.stream(`${WORKFLOW}/WatchWorkflows`, { namespace: NAMESPACE }, { token });
  const first = stream.next();
  await client.call(`${WORKFLOW}/CreateWorkflow`, { namespace: NAMESPACE, workflow: workflowNamed("seen") }, { token });
  const { value: added } = await first;
  assertEquals(added.type, "ADDED");
  assertEquals(added.object.metadata.name, "seen");
  await bench.admin.patch(WORKFLOWS, NAMESPACE, "seen", { metadata: { labels: { a: "b" } } });
  const { value: modified } = await stream.next();
  assertEquals([modified.type, modified.object.metadata.labels.a], ["MODIFIED", "b"]);
  await stream.return(undefined);
  await client.call(`${WORKFLOW}/ListWorkflows`, { namespace: NAMESPACE }, { token });
});

Deno.test("gRPC: a call and a stream end at their deadline", async () => {
  await using there = await grpcBench();
  const { client, token } = there;
  const stream = client.stream(`${WORKFLOW}/WatchWorkflows`, { namespace: NAMESPACE }, { token, timeout: 300 });
  const error = await assertRejects(() => stream.next());
  assert(isServiceError(error));
  assertEquals(error.code, CODE.deadlineExceeded);
});

Deno.test("gRPC: a refused stream has the status of the refusal", async () => {
  await using there = await grpcBench();
  const stranger = await there.bench.account([]);
  const stream = there.client.stream(`${WORKFLOW}/WatchWorkflows`, { namespace: NAMESPACE }, stranger);
  const error = await assertRejects(() => stream.next());
  assert(isServiceError(error));
  assertEquals(error.code, CODE.permissionDenied);
});

Deno.test("gRPC: a watch of a missing workflow fails at once", async () => {
  await using there = await grpcBench();
  const message = { namespace: NAMESPACE, listOptions: { fieldSelector: "metadata.name=nope" } };
  const error = await assertRejects(() => there.client.stream(`${WORKFLOW}/WatchWorkflows`, message, there).next());
  assert(isServiceError(error));
  assertEquals(error.code, CODE.notFound);
});

Deno.test("gRPC: the rate limit applies to REST and gRPC together", async () => {
  await using there = await grpcBench({ server: { rateLimit: 3, now: () => new Date(0) } });
  const { client, port } = there;
  for (let count = 0; count < 3; count++) await (await fetch(`http://127.0.0.1:${port}/api/v1/version`)).text();
  const { code, details } = await client.refusal("/info.InfoService/GetVersion", {});
  assertEquals([code, details], [CODE.resourceExhausted, "Too Many Requests"]);
});

Deno.test("gRPC: an update may take its name from the object, as Argo's client does", async () => {
  await using there = await grpcBench();
  const { bench, client } = there;
  const { token } = await bench.account(
    ALL.map((verb) => ({ verb, group: "argoproj.io", resource: "workflowtemplates" })),
  );
  const service = "/workflowtemplate.WorkflowTemplateService";
  const template = { metadata: { name: "t" }, spec: HELLO.spec };
  const { answer } = await client.call(
    `${service}/CreateWorkflowTemplate`,
    { namespace: NAMESPACE, template },
    { token },
  );
  const made = answer as Workflow;
  const changed = { ...made, metadata: { ...made.metadata, labels: { a: "b" } } };
  const updated = await client.call(
    `${service}/UpdateWorkflowTemplate`,
    { namespace: NAMESPACE, template: changed },
    { token },
  );
  assertEquals((updated.answer as Workflow).metadata.labels?.a, "b");
});
