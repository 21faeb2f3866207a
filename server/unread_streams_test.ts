/** Streams of the API that a client does not read: logs and watches, over gRPC and HTTP. */
import { connect as connectHttp2 } from "node:http2";
import { assert, assertEquals } from "@std/assert";
import { deferSessionEnd } from "@tiphys/base/net/session_end";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { METHODS, writeMessage } from "@tiphys/proto";
import { fakeClock } from "../lib/base/clock/testing/fake_clock.ts";
import { LABEL } from "@tiphys/base/constants";
import { PODS, WORKFLOWS } from "@tiphys/kube";
import { awaitFact } from "../tests/await_fact.ts";
import { objectOf } from "./gate/testing/matrix.ts";
import { listen } from "./listen/listen.ts";
import { NAMESPACE, type ServerBench, serverBench } from "./testing/server_bench.ts";

/** The server's timeout of a client that does not read. */
const STALL_MILLIS = 120_000;
/** The maximum that the kernel and both servers may buffer of one unread stream. */
const MAX_BUFFERED = 48 << 20;
const PATH = `/api/v1/workflows/${NAMESPACE}/w`;

/** Endless logs, one for each requested container. Counts the bytes read, and the logs that are closed. */
class EndlessLogs {
  bytesRead = 0;
  opened = 0;
  left = 0;
  readonly #lines = new TextEncoder().encode(`2026-01-01T00:00:00Z ${"x".repeat(1000)}\n`.repeat(60));

  open(): ReadableStream<Uint8Array> {
    this.opened++;
    return new ReadableStream({
      pull: (controller) => {
        this.bytesRead += this.#lines.length;
        controller.enqueue(this.#lines);
      },
      cancel: () => void this.left++,
    });
  }
}

/** A workflow `w` with `pods` pods that write endless logs, on a server with a fake clock. */
async function endlessBench(pods: number) {
  const bench = await serverBench(["server"]);
  const logs = new EndlessLogs();
  bench.api.useKubelet({ logs: () => logs.open(), exec: () => Promise.reject(new Error("nothing runs")) });
  await bench.admin.create(WORKFLOWS, NAMESPACE, objectOf("Workflow", "w"));
  for (let index = 0; index < pods; index++) await runPod(bench, `p${index}`);
  const clock = fakeClock();
  const calls = { asked: 0, left: 0 };
  const listening = await listen({
    hostname: "127.0.0.1",
    port: 0,
    timers: clock,
    handler(request, peer) {
      calls.asked++;
      request.signal.addEventListener("abort", () => calls.left++, { once: true });
      return bench.handler(request, peer);
    },
  });
  return {
    bench,
    logs,
    calls,
    port: listening.port,
    /** Advances the clock by the timeout of unread streams. */
    passStall: () => clock.advance(STALL_MILLIS),
    /** Resolves when the promise does, advancing the clock by the timeout meanwhile. */
    whenGivenUp: (isOver: () => boolean) =>
      awaitFact("no client is pending", () => {
        clock.advance(STALL_MILLIS);
        return isOver();
      }, { seconds: 120 }),
    async [Symbol.asyncDispose]() {
      await listening.close();
      await bench[Symbol.asyncDispose]();
    },
  };
}

async function runPod({ admin }: ServerBench, name: string) {
  await admin.create(PODS, NAMESPACE, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: NAMESPACE, labels: { [LABEL.workflow]: "w" } },
    spec: { containers: [{ name: "main", image: "busybox" }], nodeName: "here" },
  });
  const status = { phase: "Running", containerStatuses: [{ name: "main", state: { running: {} } }] };
  await admin.patch(PODS, NAMESPACE, name, { status }, "merge", { subresource: "status" });
}

/** Requests a stream and reads nothing of it. The result closes the connection. */
type Ask = (port: number) => Promise<() => void>;

/** Requests over HTTP/2. A client without a data listener reads nothing beyond the window of its stream. */
function overHttp2(headers: Record<string, string>, body?: Uint8Array): Ask {
  return async (port) => {
    const session = deferSessionEnd(connectHttp2(`http://127.0.0.1:${port}`));
    session.on("error", () => {});
    const stream = session.request(headers);
    const answered = new Promise((resolve) => stream.once("response", resolve));
    stream.on("error", () => {});
    stream.end(body);
    await answered;
    return () => session.destroy();
  };
}

function overGrpc(method: string, message: unknown): Ask {
  const { path, input } = METHODS.find(({ id }) => id === method)!;
  const headers = { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };
  return overHttp2(headers, encodeEnvelope(0, writeMessage(input, message)));
}

function overHttp1(path: string, accept: string): Ask {
  return async (port) => {
    const client = await Deno.connect({ port });
    await client.write(new TextEncoder().encode(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: ${accept}\r\n\r\n`));
    return () => client.close();
  };
}

const LOG = { namespace: NAMESPACE, name: "w", logOptions: { container: "main" } };
const FOLLOWED = { ...LOG, logOptions: { container: "main", follow: true } };

/** Downloads of logs: how they are requested, and from how many pods. */
const DOWNLOADS: Readonly<Record<string, readonly [pods: number, ask: Ask]>> = {
  "gRPC, the log of a workflow": [1, overGrpc("WorkflowService_WorkflowLogs", LOG)],
  "gRPC, the log of a pod": [1, overGrpc("WorkflowService_PodLogs", { ...LOG, podName: "p0" })],
  "gRPC, the log of a workflow that is followed": [1, overGrpc("WorkflowService_WorkflowLogs", FOLLOWED)],
  "gRPC, the logs of three pods": [3, overGrpc("WorkflowService_WorkflowLogs", LOG)],
  "gRPC, the logs of three pods that are followed": [3, overGrpc("WorkflowService_WorkflowLogs", FOLLOWED)],
  "HTTP/2, the log of a workflow": [1, overHttp2({ ":path": `${PATH}/log?logOptions.container=main` })],
  "HTTP/1.1, the log of a workflow in lines": [1, overHttp1(`${PATH}/log`, "application/json")],
  "HTTP/1.1, the log of a workflow in events": [1, overHttp1(`${PATH}/log`, "text/event-stream")],
  "HTTP/1.1, the logs of three pods that are followed": [
    3,
    overHttp1(`${PATH}/log?logOptions.follow=true`, "text/event-stream"),
  ],
};

for (const [title, [pods, ask]] of Object.entries(DOWNLOADS)) {
  Deno.test(`unread streams: a log uses bounded memory, times out, and is no longer read from the cluster: ${title}`, async () => {
    await using server = await endlessBench(pods);
    const letGo = await ask(server.port);
    await awaitFact("the logs are open", () => server.logs.opened === pods, { seconds: 60 });
    await server.whenGivenUp(() => server.logs.left === pods);
    assertEquals(server.calls, { asked: 1, left: 1 });
    assert(server.logs.bytesRead < pods * MAX_BUFFERED, `${server.logs.bytesRead} bytes were taken for nobody`);
    letGo();
  });
}

const WATCHED = { namespace: NAMESPACE, listOptions: { fieldSelector: "metadata.name=w" } };
const FILLING = "x".repeat(50_000);

Deno.test("unread streams: a watch over gRPC times out, and other clients are not affected", async () => {
  await using server = await endlessBench(0);
  const { admin } = server.bench;
  const letGo = await overGrpc("WorkflowService_WatchWorkflows", WATCHED)(server.port);
  let changes = 0;
  await awaitFact("the watch is given up", async () => {
    for (let change = 0; change < 20; change++) {
      await admin.patch(WORKFLOWS, NAMESPACE, "w", { metadata: { annotations: { filling: changes++ + FILLING } } });
    }
    server.passStall();
    return server.calls.left === 1;
  }, { seconds: 120 });
  const other = await server.bench.ask("GET", `/api/v1/workflow-events/${NAMESPACE}`);
  const reader = other.body!.getReader();
  assertEquals((await reader.read()).done, false);
  await reader.cancel();
  letGo();
});
