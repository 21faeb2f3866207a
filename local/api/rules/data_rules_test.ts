import { assertEquals, assertThrows } from "@std/assert";
import { createApiServer } from "../server.ts";
import type { KubeObject } from "@tiphys/kube";
import { ServedResources } from "../served_resource.ts";
import { StatusError } from "../status_error.ts";
import { dataCauses, dataChangeCauses } from "./data_rules.ts";

const resources = new ServedResources();
const configMaps = resources.find("", "v1", "configmaps")!;
const secrets = resources.find("", "v1", "secrets")!;
const MIB = 1024 * 1024;

function object(fields: Record<string, unknown>): KubeObject {
  return { metadata: { name: "a" }, ...fields };
}

function messagesOf(causes: ReturnType<typeof dataCauses>): string[] {
  return causes.map(({ field, message }) => `${field}: ${message}`);
}

const LONG = `Too long: may not be more than ${MIB} bytes`;
const threeBytes = (count: number) => "eHh4".repeat(count);

for (
  const [what, fields, resource, expected] of [
    ["texts of one MiB", { data: { a: "x".repeat(MIB) } }, configMaps, []],
    ["texts of one byte more", { data: { a: "x".repeat(MIB), b: "x" } }, configMaps, [`[]: ${LONG}`]],
    ["texts counted by their bytes", { data: { a: "é".repeat(MIB / 2 + 1) } }, configMaps, [`[]: ${LONG}`]],
    ["bytes beside texts", { data: { a: "x".repeat(600_000) }, binaryData: { b: threeBytes(200_000) } }, configMaps, [
      `[]: ${LONG}`,
    ]],
    [
      "bytes counted decoded",
      { data: { a: "x".repeat(MIB - 600_000) }, binaryData: { b: threeBytes(200_000) } },
      configMaps,
      [],
    ],
    ["a secret of one MiB", { data: { a: threeBytes(349_525) } }, secrets, []],
    ["a secret of more", { data: { a: threeBytes(349_526) } }, secrets, [`data: ${LONG}`]],
    ["a key of both", { data: { a: "x" }, binaryData: { a: "eHh4" } }, configMaps, [
      'data[a]: Invalid value: "a": duplicate of key present in binaryData',
    ]],
  ] as const
) {
  Deno.test(`data: ${what}`, () => assertEquals(messagesOf(dataCauses(object(fields), resource)), [...expected]));
}

Deno.test("data: invalid base64 is refused with its path", () => {
  const refusal = assertThrows(() => dataCauses(object({ binaryData: { a: "eH%4" } }), configMaps), StatusError);
  assertEquals(
    refusal.message,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: illegal base64 data at input byte 2',
  );
});

Deno.test("data: immutable content and the type of a Secret cannot change", () => {
  const fixed = "Forbidden: field is immutable when `immutable` is set";
  const before = object({ immutable: true, data: { a: "1" }, type: "x" });
  assertEquals(messagesOf(dataChangeCauses(before, object({ data: { a: "2" }, type: "x" }), configMaps)), [
    `immutable: ${fixed}`,
    `data: ${fixed}`,
  ]);
  assertEquals(dataChangeCauses(before, { ...before, metadata: { name: "a", labels: { b: "c" } } }, configMaps), []);
  assertEquals(messagesOf(dataChangeCauses(before, { ...before, type: "y" }, secrets)), [
    'type: Invalid value: "y": field is immutable',
  ]);
});

Deno.test("data: a patch that makes a ConfigMap too large is refused and does not change it", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const send = async (method: string, path: string, type: string, body: unknown) => {
    const url = `http://kubernetes.internal/api/v1/namespaces/a/configmaps${path}`;
    const headers = { "content-type": type };
    return (await api.handler(new Request(url, { method, headers, body: JSON.stringify(body) }))).status;
  };
  assertEquals(await send("POST", "", "application/json", object({ data: { a: "1" } })), 201);
  const patch = { binaryData: { b: threeBytes(400_000) } };
  assertEquals(await send("PATCH", "/a", "application/merge-patch+json", patch), 422);
  api.close();
});
