import { assertEquals, assertNotEquals } from "@std/assert";
import { isSameOutputs, reportText } from "./report_seal.ts";

const reporter = { podUid: "u", nodeId: "n" };
const SENT = {
  exitCode: "0",
  parameters: [{ name: "p", value: "" }],
  artifacts: [{ name: "a", s3: { bucket: "b", accessKeySecret: { key: "k" } }, archive: { none: {} } }],
};

function textOf(outputs: unknown): string {
  return reportText(reporter, { mainStarted: true, completed: true, outputs });
}

for (
  const [change, stored] of [
    ["dropped measures of artifacts", { ...SENT, artifacts: [{ ...SENT.artifacts[0], digest: "d", size: 1 }] }],
    ["a name that the API server fills in", {
      ...SENT,
      artifacts: [{ ...SENT.artifacts[0], s3: { bucket: "b", accessKeySecret: { key: "k", name: "" } } }],
    }],
    ["empty fields that a client in Go writes", {
      ...SENT,
      artifacts: [{ ...SENT.artifacts[0], path: "", optional: false, mode: 0 }],
    }],
  ] as const
) {
  Deno.test(`reportText: does not change with ${change}`, () => assertEquals(textOf(stored), textOf(SENT)));
}

for (
  const [change, stored] of [
    ["the value of a parameter", { ...SENT, parameters: [{ name: "p", value: "x" }] }],
    ["a parameter without a value", { ...SENT, parameters: [{ name: "p" }] }],
    ["the bucket of an artifact", { ...SENT, artifacts: [{ ...SENT.artifacts[0], s3: { bucket: "c" } }] }],
    ["the packing of an artifact", { ...SENT, artifacts: [{ ...SENT.artifacts[0], archive: undefined }] }],
    ["a missing artifact", { ...SENT, artifacts: [] }],
    ["an empty result", { ...SENT, result: "" }],
  ] as const
) {
  Deno.test(`reportText: changes with ${change}`, () => {
    assertNotEquals(textOf(stored), textOf(SENT));
    assertEquals(isSameOutputs(stored, SENT), false);
  });
}
