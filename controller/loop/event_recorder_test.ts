import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { handlerTransport, KubeClient } from "@tiphys/kube";
import { type Log, silentLog } from "@tiphys/base/log";
import type { EventText } from "./event.ts";
import { EventRecorder } from "./event_recorder.ts";

const ADDED: EventText = { type: "Normal", reason: "WorkflowNodeRunning", message: "" };

/** A recorder with the events that it wrote: reason, message and count of each. */
function world(
  { status = 201, log = silentLog, byAnnotations = false }: { status?: number; log?: Log; byAnnotations?: boolean } =
    {},
) {
  const events = new Map<string, string>();
  const requests: string[] = [];
  const clock = { now: Date.parse("2026-01-01T00:00:00Z") };
  const client = new KubeClient(handlerTransport(async (request) => {
    const place = new URL(request.url).pathname.split("/").at(-1)!;
    const name = request.method === "POST" ? `event-${requests.push("POST")}` : place;
    if (request.method !== "POST") requests.push(request.method);
    const event = await request.json();
    events.set(name, `${event.count} ${event.message}`);
    return Response.json({ metadata: { name } }, { status });
  }));
  const still = { now: () => clock.now, after: () => () => {} };
  const recorder = new EventRecorder({ client, log, clock: still, kind: "Workflow", byAnnotations });
  const record = (name: string, message: string, action: Partial<EventText> = {}) => {
    const workflow: Workflow = { metadata: { name, namespace: "argo", uid: name }, spec: {} };
    recorder.record(workflow, { ...ADDED, ...action, message });
  };
  const recordMany = (count: number) => {
    for (let index = 1; index <= count; index++) record("w", `pod ${index}`);
  };
  return { recorder, record, recordMany, clock, requests, written: () => [...events.values()] };
}

const tenOneByOne = Array.from({ length: 10 }, (_, index) => `1 pod ${index + 1}`);

Deno.test("EventRecorder: writes ten similar events separately, and one for all that follow", async () => {
  const { recorder, recordMany, requests, written } = world();
  recordMany(500);
  await recorder.flush();
  assertEquals(written(), [...tenOneByOne, "490 (combined from similar events): pod 500"]);
  recordMany(2);
  await recorder.flush();
  assertEquals(written(), [...tenOneByOne, "492 (combined from similar events): pod 2"]);
  assertEquals([requests.length, requests.slice(10)], [12, ["POST", "PATCH"]]);
});

Deno.test("EventRecorder: events about different pods are not similar", async () => {
  const { recorder, record, written } = world();
  for (const uid of ["a", "b"]) {
    for (let index = 0; index < 10; index++) record("w", "said", { pod: { name: uid, uid } });
  }
  await recorder.flush();
  assertEquals(written(), Array.from({ length: 20 }, () => "1 said"));
});

Deno.test("EventRecorder: events of different workflows, reasons or types are not similar", async () => {
  const { recorder, record, written } = world();
  for (const workflow of ["a", "b"]) {
    for (const reason of ["WorkflowNodeRunning", "WorkflowNodeFailed"]) {
      for (let index = 0; index < 10; index++) record(workflow, "said", { reason });
    }
  }
  await recorder.flush();
  assertEquals(written().length, 40);
  assertEquals(new Set(written()), new Set(["1 said"]));
});

Deno.test("EventRecorder: starts from scratch after ten minutes without events", async () => {
  const { recorder, recordMany, clock, written } = world();
  recordMany(11);
  await recorder.flush();
  clock.now += 600_001;
  recordMany(1);
  await recorder.flush();
  assertEquals(written().at(-1), "1 pod 1");
});

Deno.test("EventRecorder: keeps running when events are rejected, and logs it", async () => {
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (message) => void warnings.push(message) };
  const { recorder, recordMany } = world({ status: 403, log });
  recordMany(12);
  await recorder.flush();
  recordMany(1);
  await recorder.flush();
  assertEquals(warnings, Array.from({ length: 12 }, () => "Could not record an event"));
});

for (const byAnnotations of [false, true]) {
  Deno.test(`EventRecorder: different annotations make events distinct ${byAnnotations ? "if that is enabled" : "only if that is enabled"}`, async () => {
    const { recorder, record, written } = world({ byAnnotations });
    for (let index = 1; index <= 12; index++) record("w", `pod ${index}`, { annotations: { node: `${index}` } });
    for (let index = 1; index <= 12; index++) record("w", "again", { annotations: { node: "1" } });
    await recorder.flush();
    const combined = written().filter((text) => text.includes("combined"));
    assertEquals(combined, [`${byAnnotations ? 3 : 14} (combined from similar events): again`]);
  });
}

Deno.test("EventRecorder: names of events sort in the order of recording, and a taken name is replaced", async () => {
  const clock = { now: Date.parse("2026-01-01T00:00:00Z") };
  const names: string[] = [];
  let isTaken = true;
  const client = new KubeClient(handlerTransport(async (request) => {
    const { metadata, message } = await request.json();
    if (isTaken) {
      isTaken = false;
      return Response.json({ kind: "Status", code: 409, reason: "AlreadyExists" }, { status: 409 });
    }
    names.push(`${metadata.name} ${message}`);
    return Response.json({ metadata }, { status: 201 });
  }));
  const still = { now: () => clock.now, after: () => () => {} };
  const recorder = new EventRecorder({ client, log: silentLog, clock: still, kind: "Workflow" });
  const workflow: Workflow = { metadata: { name: `${"w".repeat(235)}-x`, namespace: "argo", uid: "u" }, spec: {} };
  recorder.record(workflow, { ...ADDED, message: "taken" });
  await recorder.flush();
  for (const message of ["1", "2", "3"]) recorder.record(workflow, { ...ADDED, message });
  clock.now++;
  recorder.record(workflow, { ...ADDED, message: "4" });
  await recorder.flush();
  assertEquals(names.toSorted().map((name) => name.split(" ")[1]), ["taken", "1", "2", "3", "4"]);
  assertEquals(new Set(names.map((name) => name.split(" ")[0])).size, 5);
  for (const name of names) {
    assertEquals(/^w{235}\.[0-9a-f]{16}$/.test(name.split(" ")[0]!), true, name);
  }
});
