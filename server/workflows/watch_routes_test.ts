/** Tests watches that the cluster ends, and watches with a time limit. */
import { assertEquals, assertRejects } from "@std/assert";
import { EVENTS, type KubeClient, KubeError, WORKFLOWS } from "@tiphys/kube";
import { objectOf } from "../gate/testing/matrix.ts";
import { NAMESPACE, serverBench } from "../testing/server_bench.ts";
import { changes } from "./watch_routes.ts";

const object = (name: string, resourceVersion: string) => ({
  ...objectOf("Workflow", name),
  metadata: { name, uid: name, resourceVersion },
});
const tooOld = () => new KubeError("too old resource version: 1 (9)", { status: 410, reason: "Expired" });

/**
 * A client whose watches yield the given events, one watch after the other, and that records their versions. `pages`
 * are the results of its lists.
 */
function scriptedClient(watches: readonly (() => AsyncGenerator<unknown>)[], pages: readonly unknown[][] = []) {
  const requests: (string | undefined)[] = [];
  const client = {
    list(_resource: unknown, _namespace: unknown, { continue: at = "0" }: { continue?: string }) {
      const page = Number(at);
      const next = page + 1 < pages.length ? { continue: String(page + 1) } : {};
      return Promise.resolve({ items: pages[page] ?? [], metadata: { resourceVersion: "9", ...next } });
    },
    watch(_resource: unknown, _namespace: unknown, { resourceVersion }: { resourceVersion?: string }) {
      requests.push(resourceVersion);
      return watches[requests.length - 1]!();
    },
  };
  return { requests, client: client as Partial<KubeClient> as KubeClient };
}

Deno.test("watch: an expired version is refused, since a list would not show deletions", async () => {
  // deno-lint-ignore require-yield -- it yields nothing
  const { requests, client } = scriptedClient([async function* () {
    await Promise.reject(tooOld());
  }]);
  const received = changes(
    { client, resource: WORKFLOWS, namespace: NAMESPACE, resourceVersion: "1" },
    new AbortController().signal,
  );
  await assertRejects(() => received.next(), KubeError, "too old resource version");
  assertEquals(requests, ["1"]);
});

Deno.test("watch: fails when the client's version expires, since deletions in between are unknown", async () => {
  const { client } = scriptedClient([async function* () {
    yield { type: "MODIFIED", object: object("a", "2") };
    await Promise.reject(tooOld());
  }]);
  const watched = { client, resource: WORKFLOWS, namespace: NAMESPACE, resourceVersion: "1" };
  const received = changes(watched, new AbortController().signal);
  assertEquals((await received.next()).value?.type, "MODIFIED");
  await assertRejects(() => received.next(), KubeError, "too old resource version");
});

Deno.test("watch: after an expired version, sends what was changed and deleted meanwhile, and continues", async () => {
  const stop = new AbortController();
  const { requests, client } = scriptedClient([async function* () {
    yield { type: "ADDED", object: object("a", "2") };
    yield { type: "ADDED", object: object("b", "3") };
    yield { type: "ADDED", object: object("gone", "4") };
    await Promise.reject(tooOld());
  }, async function* () {
    yield { type: "DELETED", object: object("a", "10") };
    stop.abort();
    await Promise.reject(new Error("over"));
  }], [[object("a", "2"), object("b", "8")], [object("new", "7")]]);
  const received = await Array.fromAsync(
    changes({ client, resource: WORKFLOWS, namespace: NAMESPACE }, stop.signal),
    ({ type, object: { metadata } }) => `${type} ${metadata.name} ${metadata.resourceVersion}`,
  );
  assertEquals(received, [
    "ADDED a 2",
    "ADDED b 3",
    "ADDED gone 4",
    "MODIFIED b 8",
    "ADDED new 7",
    "DELETED gone 4",
    "DELETED a 10",
  ]);
  assertEquals(requests, [undefined, "9"]);
});

Deno.test("watch: pauses between attempts if the version expires repeatedly", async () => {
  // deno-lint-ignore require-yield -- it yields nothing
  const refused = async function* () {
    await Promise.reject(tooOld());
  };
  const { requests, client } = scriptedClient(Array.from({ length: 1000 }, () => refused));
  const stop = new AbortController();
  const received = changes({ client, resource: WORKFLOWS, namespace: NAMESPACE }, stop.signal).next();
  // The client responds within this turn of the event loop, which is shorter than a pause.
  for (let turn = 0; turn < 10_000; turn++) await Promise.resolve();
  assertEquals(requests.length, 1);
  stop.abort();
  assertEquals((await received).done, true);
});

Deno.test("watch: ends with a complete response after timeoutSeconds", async () => {
  await using bench = await serverBench(["server"]);
  await bench.admin.create(WORKFLOWS, NAMESPACE, objectOf("Workflow", "w"));
  await bench.admin.create(EVENTS, NAMESPACE, {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "e" },
    involvedObject: { kind: "Workflow", name: "w", namespace: NAMESPACE },
    reason: "WorkflowRunning",
  });
  for (const path of ["workflow-events", "stream/events"]) {
    const response = await bench.ask("GET", `/api/v1/${path}/${NAMESPACE}?listOptions.timeoutSeconds=1`);
    const lines = (await response.text()).split("\n").filter(Boolean).map((line) => JSON.parse(line));
    // On a busy machine, the second may pass before the first message.
    assertEquals(lines.map((line) => Object.keys(line)), lines.map(() => ["result"]), path);
  }
});

Deno.test("watch: ends with a complete response when the server stops, so that the client reconnects", async () => {
  const bench = await serverBench(["server"]);
  await bench.admin.create(WORKFLOWS, NAMESPACE, objectOf("Workflow", "w"));
  const paths = ["workflow-events", "stream/events"];
  const streams = await Promise.all(paths.map((path) => bench.ask("GET", `/api/v1/${path}/${NAMESPACE}`)));
  const texts = Promise.all(streams.map((response) => response.text()));
  await bench[Symbol.asyncDispose]();
  for (const text of await texts) assertEquals(text.includes("error"), false, text);
});
