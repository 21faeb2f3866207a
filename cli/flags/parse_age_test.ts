import { assertEquals } from "@std/assert";
import { parseAge } from "./parse_age.ts";

Deno.test("parseAge: accepts one or several units, and rejects other texts", () => {
  assertEquals(parseAge("10m"), 600_000);
  assertEquals(parseAge("1d12h"), 36 * 3_600_000);
  assertEquals(parseAge("2mo"), 60 * 86_400_000);
  for (const wrong of ["", "10", "m", "1x", "1.5h", "-1h"]) assertEquals(parseAge(wrong), undefined, wrong);
});
