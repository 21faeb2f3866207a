import { assertEquals } from "@std/assert";
import { residentIn } from "./memory.ts";

Deno.test("residentIn() reads what Linux says of a process, and tells where it says nothing", () => {
  assertEquals(residentIn("Name:\tchromium\nVmPeak:\t  900000 kB\nVmRSS:\t  204800 kB\nThreads:\t18\n"), 200);
  assertEquals(residentIn("Name:\tkthreadd\n"), undefined);
});
