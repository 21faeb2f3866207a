/** Watches that the cluster ends, or that their clients want for a while. */
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
 * A client whose watches tell what is said, one after the other, and the versions that they were asked for; `pages` is what it
 * lists.
 */
function scripted(watches: readonly (() => AsyncGenerator<unknown>)[], pages: readonly unknown[][] = []) {
  const asked: (string | undefined)[] = [];
  const client = {
    list(_resource: unknown, _namespace: unknown, { continue: at = "0" }: { continue?: string }) {
      const page = Number(at);
      const next = page + 1 < pages.length ? { continue: String(page + 1) } : {};
      return Promise.resolve({ items: pages[page] ?? [], metadata: { resourceVersion: "9", ...next } });
    },
    watch(_resource: unknown, _namespace: unknown, { resourceVersion }: { resourceVersion?: string }) {
      asked.push(resourceVersion);
      return watches[asked.length - 1]!();
    },
  };
  return { asked, client: client as Partial<KubeClient> as KubeClient };
}

Deno.test("a watch from a version that is too long ago is refused: to tell what is there would leave out what is gone", async () => {
  // deno-lint-ignore require-yield -- it has nothing to tell
  const { asked, client } = scripted([async function* () {
    await Promise.reject(tooOld());
  }]);
  const told = changes(
    { client, resource: WORKFLOWS, namespace: NAMESPACE, resourceVersion: "1" },
    new AbortController().signal,
  );
  await assertRejects(() => told.next(), KubeError, "too old resource version");
  assertEquals(asked, ["1"]);
});

Deno.test("a watch from a version that has become too old ends with that: what has gone since cannot be told", async () => {
  const { client } = scripted([async function* () {
    yield { type: "MODIFIED", object: object("a", "2") };
    await Promise.reject(tooOld());
  }]);
  const watched = { client, resource: WORKFLOWS, namespace: NAMESPACE, resourceVersion: "1" };
  const told = changes(watched, new AbortController().signal);
  assertEquals((await told.next()).value?.type, "MODIFIED");
  await assertRejects(() => told.next(), KubeError, "too old resource version");
});

Deno.test("a watch that went on for too long tells what has changed and what has gone meanwhile, and goes on", async () => {
  const stop = new AbortController();
  const { asked, client } = scripted([async function* () {
    yield { type: "ADDED", object: object("a", "2") };
    yield { type: "ADDED", object: object("b", "3") };
    yield { type: "ADDED", object: object("gone", "4") };
    await Promise.reject(tooOld());
  }, async function* () {
    yield { type: "DELETED", object: object("a", "10") };
    stop.abort();
    await Promise.reject(new Error("over"));
  }], [[object("a", "2"), object("b", "8")], [object("new", "7")]]);
  const told = await Array.fromAsync(
    changes({ client, resource: WORKFLOWS, namespace: NAMESPACE }, stop.signal),
    ({ type, object: { metadata } }) => `${type} ${metadata.name} ${metadata.resourceVersion}`,
  );
  assertEquals(told, [
    "ADDED a 2",
    "ADDED b 3",
    "ADDED gone 4",
    "MODIFIED b 8",
    "ADDED new 7",
    "DELETED gone 4",
    "DELETED a 10",
  ]);
  assertEquals(asked, [undefined, "9"]);
});

Deno.test("a cluster that tells a watch again and again that it is too old is not asked again at once", async () => {
  // deno-lint-ignore require-yield -- it has nothing to tell
  const refused = async function* () {
    await Promise.reject(tooOld());
  };
  const { asked, client } = scripted(Array.from({ length: 1000 }, () => refused));
  const stop = new AbortController();
  const told = changes({ client, resource: WORKFLOWS, namespace: NAMESPACE }, stop.signal).next();
  // The client answers within this turn of the event loop, and a pause lasts longer.
  for (let turn = 0; turn < 10_000; turn++) await Promise.resolve();
  assertEquals(asked.length, 1);
  stop.abort();
  assertEquals((await told).done, true);
});

Deno.test("a watch ends, whole, when the time is over for which it was asked", async () => {
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
    // On a machine that is busy the second may be over before anything is told.
    assertEquals(lines.map((line) => Object.keys(line)), lines.map(() => ["result"]), path);
  }
});

Deno.test("a watch ends, whole, when the server stops: who goes on watching asks another one", async () => {
  const bench = await serverBench(["server"]);
  await bench.admin.create(WORKFLOWS, NAMESPACE, objectOf("Workflow", "w"));
  const paths = ["workflow-events", "stream/events"];
  const streams = await Promise.all(paths.map((path) => bench.ask("GET", `/api/v1/${path}/${NAMESPACE}`)));
  const texts = Promise.all(streams.map((response) => response.text()));
  await bench[Symbol.asyncDispose]();
  for (const text of await texts) assertEquals(text.includes("error"), false, text);
});
