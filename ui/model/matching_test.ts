import { assertEquals } from "@std/assert";
import { matching } from "./matching.ts";

const NAMES = ["Copy the link of this page", "Retry this run", "Go to runs", "Resubmit"];

Deno.test("matching: letters at word starts rank before scattered letters", () => {
  assertEquals(matching(NAMES, "ret", (name) => name)[0], "Retry this run");
  assertEquals(matching(NAMES, "gr", (name) => name)[0], "Go to runs");
});

Deno.test("matching: an empty search matches everything, and missing letters match nothing", () => {
  assertEquals(matching(NAMES, "", (name) => name), NAMES);
  assertEquals(matching(NAMES, "zz", (name) => name), []);
});
