/** Tests of shared streams: rights, resumption, and cleanup. */
import { assert, assertEquals } from "@std/assert";
import { EVENTS, WORKFLOWS } from "@tiphys/kube";
import { awaitFact } from "../../tests/await_fact.ts";
import { objectOf } from "../gate/testing/matrix.ts";
import { NAMESPACE, type ServerBench, serverBench } from "../testing/server_bench.ts";
import { MAX_SUBSCRIPTIONS } from "./subscriptions.ts";

const LIST = `/api/v1/workflow-events/${NAMESPACE}`;
const oneOf = (name: string) => `${LIST}?listOptions.fieldSelector=metadata.name%3D${name}&patches=1`;
const WATCH = { verb: "watch", group: WORKFLOWS.group, resource: "workflows" };

interface Message {
  readonly of: string;
  readonly cursor: string | undefined;
  // deno-lint-ignore no-explicit-any -- tests read arbitrary messages
  readonly data: any;
}

interface SubscriptionRequest {
  readonly id: string;
  readonly path: string;
  readonly cursor?: string;
}

/** Opens a stream that is read message by message. */
async function open(bench: ServerBench, subscriptions: readonly SubscriptionRequest[], token?: string) {
  const left = new AbortController();
  const response = await bench.ask("POST", "/api/tiphys/v1/stream", {
    body: { subscriptions },
    signal: left.signal,
    ...(token === undefined ? {} : { token }),
  });
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "text/event-stream");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  const waiting: Message[] = [];
  return {
    async next(): Promise<Message | undefined> {
      while (waiting.length === 0) {
        const { done, value } = await reader.read();
        if (done) return undefined;
        const events = (rest + value).split("\n\n");
        rest = events.pop()!;
        waiting.push(...events.filter((event) => event.startsWith("event: ")).map(readMessage));
      }
      return waiting.shift();
    },
    /** The next message other than those that only move the cursor. */
    async result(): Promise<Message> {
      while (true) {
        const message = await this.next();
        if (!message) throw new Error("Expected a message before the end");
        if (message.data?.result) return message;
      }
    },
    async close() {
      left.abort();
      await reader.cancel().catch(() => {});
    },
  };
}

function readMessage(text: string): Message {
  const lines = text.split("\n");
  const value = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = value("data");
  return { of: value("event")!, cursor: value("id"), data: data === undefined ? undefined : JSON.parse(data) };
}

const nameIn = ({ data }: Message) => `${data.result.type} ${data.result.object.metadata.name}`;

Deno.test("shared stream: sends the messages of two subscriptions with their IDs, and continues if one is refused", async () => {
  await using bench = await serverBench();
  const { token } = await bench.account([WATCH]);
  const stream = await open(bench, [
    { id: "runs", path: LIST },
    { id: "events", path: `/api/v1/stream/events/${NAMESPACE}` },
    { id: "other", path: "/api/v1/version" },
  ], token);
  const refused: Message[] = [];
  while (refused.length < 2) {
    const message = await stream.next();
    if (message?.data?.error) refused.push(message);
  }
  const errors = refused.map((message) => [message.of, message.data.error.http_code]);
  assertEquals(errors.sort(), [["events", 403], ["other", 501]]);
  assert(refused.find((message) => message.of === "events")!.data.error.message.includes("events"));
  await bench.admin.create(WORKFLOWS, NAMESPACE, objectOf("Workflow", "new"));
  const received = await stream.result();
  assertEquals([received.of, nameIn(received)], ["runs", "ADDED new"]);
  await stream.close();
});

Deno.test("shared stream: a list resumes after the ID of its last message without repeating anything", async () => {
  await using bench = await serverBench(["server"]);
  await bench.admin.create(WORKFLOWS, NAMESPACE, objectOf("Workflow", "a"));
  const first = await open(bench, [{ id: "1", path: LIST }]);
  assertEquals(nameIn(await first.result()), "ADDED a");
  // After the current objects were sent, the stream can be resumed from their version.
  const after = await first.next();
  assertEquals(after?.data, undefined);
  assert(after?.cursor);
  await first.close();
  await bench.admin.create(WORKFLOWS, NAMESPACE, objectOf("Workflow", "b"));
  await bench.admin.delete(WORKFLOWS, NAMESPACE, "a");
  const second = await open(bench, [{ id: "1", path: LIST, cursor: after.cursor }]);
  const b = await second.result();
  assertEquals([nameIn(b), nameIn(await second.result())], ["ADDED b", "DELETED a"]);
  await second.close();
  const third = await open(bench, [{ id: "1", path: LIST, cursor: b.cursor! }]);
  assertEquals(nameIn(await third.result()), "DELETED a");
  await third.close();
});

Deno.test("shared stream: patches of one workflow resume from a known state, even if it has changed meanwhile", async () => {
  await using bench = await serverBench(["server"]);
  await bench.admin.create(WORKFLOWS, NAMESPACE, objectOf("Workflow", "w"));
  const first = await open(bench, [{ id: "w", path: oneOf("w") }]);
  const whole = await first.result();
  assertEquals(nameIn(whole), "ADDED w");
  const version = whole.data.result.object.metadata.resourceVersion;
  assertEquals(whole.cursor, version);
  await first.close();
  await bench.admin.patch(WORKFLOWS, NAMESPACE, "w", { status: { phase: "Running" } });
  const second = await open(bench, [{ id: "w", path: oneOf("w"), cursor: version }]);
  const patch = await second.result();
  assertEquals([patch.data.result.type, patch.data.result.object.from], ["PATCHED", version]);
  assertEquals(patch.cursor, patch.data.result.object.object.metadata.resourceVersion);
  await second.close();
});

Deno.test("shared stream: Kubernetes events are listed first, so that the stream can be resumed", async () => {
  await using bench = await serverBench(["server"]);
  const event = (name: string) => ({
    apiVersion: "v1",
    kind: "Event",
    metadata: { name },
    reason: "Pulled",
    involvedObject: { kind: "Pod", name: "p", namespace: NAMESPACE },
  });
  await bench.admin.create(EVENTS, NAMESPACE, event("a"));
  const path = `/api/v1/stream/events/${NAMESPACE}`;
  const first = await open(bench, [{ id: "e", path }]);
  assertEquals((await first.result()).data.result.metadata.name, "a");
  const after = await first.next();
  await first.close();
  await bench.admin.create(EVENTS, NAMESPACE, event("b"));
  const second = await open(bench, [{ id: "e", path, cursor: after!.cursor! }]);
  assertEquals((await second.result()).data.result.metadata.name, "b");
  await second.close();
});

Deno.test("shared stream: an expired version fails with the ID of the subscription", async () => {
  await using bench = await serverBench(["server"]);
  const stream = await open(bench, [{ id: "old", path: `${LIST}?listOptions.resourceVersion=x` }]);
  const refused = await stream.next();
  assertEquals([refused?.of, refused?.data.error.http_code], ["old", 400]);
  assertEquals(await stream.next(), undefined);
});

Deno.test("shared stream: invalid and too many subscriptions are refused with the expected form", async () => {
  await using bench = await serverBench(["server"]);
  const many = Array.from({ length: MAX_SUBSCRIPTIONS + 1 }, (_, index) => ({ id: `${index}`, path: LIST }));
  const bodies: readonly (readonly [unknown, string])[] = [
    [{}, "subscriptions: expected a list of one or more"],
    [{ subscriptions: many }, `subscriptions: expected ${MAX_SUBSCRIPTIONS} or less, got ${many.length}`],
    [{ subscriptions: [many[0], many[0]] }, "subscriptions: two have the same id"],
    [{ subscriptions: [{ id: "a b", path: LIST }] }, "subscriptions[0].id: expected 1 to 64 letters, digits, - or _"],
    [
      { subscriptions: [{ id: "a", path: "//evil.test/" }] },
      "subscriptions[0].path: expected the path of a stream below /api/",
    ],
    [
      { subscriptions: [{ id: "a", path: LIST, cursor: "x" }] },
      'subscriptions[0].cursor: expected the id of a message, got "x"',
    ],
  ];
  for (const [body, words] of bodies) {
    const response = await bench.ask("POST", "/api/tiphys/v1/stream", { body });
    assertEquals([response.status, (await response.text()).includes(JSON.stringify(words).slice(1, -1))], [400, true]);
  }
});

Deno.test("shared stream: requires authentication, and stops its watches when the client disconnects", async () => {
  const watched = new Set<string>();
  await using bench = await serverBench(["client"], {}, (transport) => ({
    ...transport,
    async fetch(path, init) {
      if (path.includes("/events") && path.includes("watch=")) {
        watched.add(path);
        init?.signal?.addEventListener("abort", () => watched.delete(path), { once: true });
      }
      return await transport.fetch(path, init);
    },
  }));
  const body = { subscriptions: [{ id: "1", path: LIST }] };
  assertEquals((await bench.ask("POST", "/api/tiphys/v1/stream", { body, token: "none" })).status, 401);
  const { token } = await bench.account([{ verb: "watch", group: "", resource: "events" }]);
  const stream = await open(bench, [{ id: "e", path: `/api/v1/stream/events/${NAMESPACE}` }], token);
  assertEquals((await stream.next())?.data, { open: true });
  await awaitFact("events are watched", () => Promise.resolve(watched.size > 0), { seconds: 30 });
  await stream.close();
  await awaitFact("all watches have ended", () => Promise.resolve(watched.size === 0), { seconds: 30 });
});
