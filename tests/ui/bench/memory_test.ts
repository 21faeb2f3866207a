import { assertEquals } from "@std/assert";
import { residentIn } from "./memory.ts";

Deno.test("residentIn(): parses a process status of Linux, and returns undefined without a value", () => {
  assertEquals(residentIn("Name:\tchromium\nVmPeak:\t  900000 kB\nVmRSS:\t  204800 kB\nThreads:\t18\n"), 200);
  assertEquals(residentIn("Name:\tkthreadd\n"), undefined);
});
