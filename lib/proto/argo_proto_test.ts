/** Messages compared with bytes that Argo's own library wrote for the same objects (`testdata/made_by_go.json`). */
import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { MessageError, MESSAGES, type MessageType, METHODS, readMessage, writeMessage } from "./mod.ts";

interface ReferenceMessage {
  readonly type: string;
  /** The object that was passed to Argo's library. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** The object as that library prints it. */
  readonly json: Readonly<Record<string, unknown>>;
  /** The encoded message. */
  readonly bytes: string;
}

const MADE: readonly ReferenceMessage[] = JSON.parse(
  await Deno.readTextFile(new URL("testdata/made_by_go.json", import.meta.url)),
);

function typeOf(name: string): MessageType {
  const type = MESSAGES.get(name);
  assert(type, name);
  return type;
}

/** Returns a value without the zero values that Go prints, and without the kind, which messages do not contain. */
function comparableFields(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((item) => comparableFields(item, depth + 1));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([name]) => depth > 0 || name !== "apiVersion" && name !== "kind")
    .map(([name, field]) => [name, comparableFields(field, depth + 1)] as const)
    .filter(([, field]) => !isZero(field));
  return Object.fromEntries(entries.toSorted(([a], [b]) => a < b ? -1 : 1));
}

function isZero(value: unknown): boolean {
  return value === null || value === "" || value === 0 || value === false ||
    typeof value === "object" && !Array.isArray(value) && Object.keys(value).length === 0;
}

for (const { type, sent, json, bytes } of MADE) {
  Deno.test(`readMessage: a ${type} written by Argo's library is read as in that library`, () => {
    assertEquals(comparableFields(readMessage(typeOf(type), Uint8Array.fromBase64(bytes))), comparableFields(json));
  });

  Deno.test(`writeMessage: a ${type} is written as by Argo's library, except for zeros`, () => {
    const written = readMessage(typeOf(type), writeMessage(typeOf(type), sent));
    assertEquals(written, readMessage(typeOf(type), Uint8Array.fromBase64(bytes)));
  });
}

const [{ bytes: workflowBytes = "" } = {}] = MADE.filter(({ type }) => type === "argo.Workflow");

function workflow(): Uint8Array {
  return Uint8Array.fromBase64(workflowBytes);
}

/** Writes and reads a value as the only parameter of a workflow's arguments. */
function parameterOf(value: unknown): unknown {
  const object = { spec: { arguments: { parameters: [{ name: "a", value }] } } };
  const type = typeOf("argo.Workflow");
  const read = readMessage(type, writeMessage(type, object)) as typeof object;
  return read.spec.arguments.parameters[0]?.value;
}

Deno.test("proto: a zero is preserved if Argo distinguishes it from absence, and omitted otherwise", () => {
  const read = readMessage(typeOf("argo.Workflow"), workflow()) as Record<"spec", Record<string, unknown>>;
  assertEquals(read.spec.priority, 0);
  assertEquals(read.spec.suspend, false);
  assertEquals(read.spec.podGC, {});
  assert(!("serviceAccountName" in read.spec));
});

Deno.test("proto: items of a loop are any JSON, including zero, the empty string and null", () => {
  const type = typeOf("argo.WorkflowStep");
  const withItems = [0, "", null, false, 1.5, [], {}, { a: [null] }];
  assertEquals(readMessage(type, writeMessage(type, { name: "a", withItems })), { name: "a", withItems });
});

Deno.test("proto: parameters are strings, whatever their JSON type", () => {
  assertEquals([5, true, "", "x", 1.5].map(parameterOf), ["5", "true", "", "x", "1.5"]);
});

Deno.test("writeMessage: omits a value of the wrong type and writes the other fields", () => {
  const type = typeOf("argo.Workflow");
  const odd = { metadata: { name: 7, labels: ["a"], creationTimestamp: "soon" }, spec: "none", status: { nodes: 3 } };
  assertEquals(readMessage(type, writeMessage(type, odd)), { metadata: { name: "7" } });
  const large = { spec: { priority: 2 ** 40, templates: [{ name: "a" }, 5] } };
  assertEquals(readMessage(type, writeMessage(type, large)), { spec: { templates: [{ name: "a" }] } });
});

Deno.test("proto: keys of maps are data, including __proto__", () => {
  const type = typeOf("argo.Workflow");
  const object = JSON.parse('{"metadata":{"labels":{"__proto__":"a","constructor":"b"}}}');
  const read = readMessage(type, writeMessage(type, object)) as typeof object;
  assertEquals(JSON.stringify(read), JSON.stringify(object));
});

Deno.test("readMessage: rejects a truncated message or one of another type with the name of the type", () => {
  const type = typeOf("argo.Workflow");
  assertThrows(() => readMessage(type, workflow().subarray(0, 100)), MessageError, "argo.Workflow");
  assertThrows(() => readMessage(type, Uint8Array.of(0x08, 1)), MessageError, "argo.Workflow.metadata");
});

Deno.test("readMessage: limits the number and depth of objects", () => {
  const list = typeOf("argo.WorkflowList");
  const items = new Uint8Array(4_000).map((_, index) => index % 2 === 0 ? 0x12 : 0);
  assertEquals((readMessage(list, items) as { items: unknown[] }).items.length, 2_000);
  assertThrows(() => readMessage(list, items, { depth: 9, parts: 1_999 }), MessageError, "more than 1999 parts");
  const type = typeOf("argo.Template");
  let deep: unknown = { name: "end" };
  for (let depth = 0; depth < 60; depth++) deep = { dag: { tasks: [{ name: "a", inline: deep }] } };
  assertThrows(() => readMessage(type, writeMessage(type, deep)), MessageError, "more than 100 levels deep");
});

Deno.test("readMessage: reads or rejects a message with arbitrary changed bytes", () => {
  const type = typeOf("argo.Workflow");
  const whole = workflow();
  fc.assert(fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (offset, change) => {
    const bytes = whole.slice();
    bytes[offset] = (bytes[offset] ?? 0) ^ change;
    try {
      readMessage(type, bytes);
    } catch (error) {
      assert(error instanceof MessageError, String(error));
    }
  }));
});

Deno.test("METHODS: each method has messages, and its path and operation have the same names", () => {
  assertEquals(METHODS.length, 68);
  for (const { path, id } of METHODS) assertEquals(id, path.replace(/^\/\w+\.(\w+)\/(\w+)$/, "$1_$2"));
  assertEquals(METHODS.filter(({ isStream }) => isStream).map(({ id }) => id), [
    "WorkflowService_WatchWorkflows",
    "WorkflowService_WatchEvents",
    "WorkflowService_PodLogs",
    "WorkflowService_WorkflowLogs",
    "EventSourceService_EventSourcesLogs",
    "EventSourceService_WatchEventSources",
    "SensorService_SensorsLogs",
    "SensorService_WatchSensors",
  ]);
});
