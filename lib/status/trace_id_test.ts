import { assertEquals } from "@std/assert";
import { traceIdOf } from "./trace_id.ts";

Deno.test("traceIdOf() is the UID's hexadecimal digits, and nothing for a text that has not 32 of them, or zeros only", () => {
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
