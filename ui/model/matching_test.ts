/** The search of the palette. */
import { assertEquals } from "@std/assert";
import { matching } from "./matching.ts";

const NAMES = ["Copy the link of this page", "Retry this run", "Go to runs", "Resubmit"];

Deno.test("letters that begin a word come before letters that are strewn", () => {
  assertEquals(matching(NAMES, "ret", (name) => name)[0], "Retry this run");
  assertEquals(matching(NAMES, "gr", (name) => name)[0], "Go to runs");
});

Deno.test("nothing typed means everything, and letters that are not there mean nothing", () => {
  assertEquals(matching(NAMES, "", (name) => name), NAMES);
  assertEquals(matching(NAMES, "zz", (name) => name), []);
});
