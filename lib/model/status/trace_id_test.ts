import { assertEquals } from "@std/assert";
import { nodeSpanId, traceIdOf, workflowSpanId } from "./trace_id.ts";

Deno.test("traceIdOf() returns the UID's 32 hexadecimal digits, and undefined for other texts or only zeros", () => {
  const uids = [
    "0A1b2c3d-0000-4000-8000-00000000000f",
    "0a1b2c3d-0000-4000-8000-00000000000",
    "0a1b2c3d-0000-4000-8000-00000000000f1",
    "0g1b2c3d-0000-4000-8000-00000000000f",
    "00000000-0000-0000-0000-000000000000",
    "",
  ];
  assertEquals(uids.map(traceIdOf), ["0a1b2c3d00004000800000000000000f", ...Array(5).fill(undefined)]);
});

Deno.test("span IDs: have sixteen digits, are deterministic, and differ between nodes and workflows", () => {
  const ids = [nodeSpanId("u", "a"), nodeSpanId("u", "b"), nodeSpanId("v", "a"), workflowSpanId("u")];
  assertEquals(new Set(ids).size, 4);
  assertEquals(ids.filter((id) => /^[0-9a-f]{16}$/.test(id)).length, 4);
  assertEquals(ids[0], nodeSpanId("u", "a"));
});
