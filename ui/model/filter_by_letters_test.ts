import { assertEquals } from "@std/assert";
import { filterByLetters } from "./filter_by_letters.ts";

const NAMES = ["Copy the link of this page", "Retry this run", "Go to runs", "Resubmit"];

Deno.test("filterByLetters: letters at word starts rank before scattered letters", () => {
  assertEquals(filterByLetters(NAMES, "ret", (name) => name)[0], "Retry this run");
  assertEquals(filterByLetters(NAMES, "gr", (name) => name)[0], "Go to runs");
});

Deno.test("filterByLetters: an empty search matches everything, and missing letters match nothing", () => {
  assertEquals(filterByLetters(NAMES, "", (name) => name), NAMES);
  assertEquals(filterByLetters(NAMES, "zz", (name) => name), []);
});
