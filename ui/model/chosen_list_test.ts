/** Parameters of which several choices are taken. */
import { assertEquals } from "@std/assert";
import { isChosenAsList, listText } from "./chosen_list.ts";

const REGIONS = ["eu", "us"];

Deno.test("choices are taken as a list where the usual value is one, and no choice by itself", () => {
  assertEquals(isChosenAsList(REGIONS, '["eu"]', "[]"), true);
  assertEquals(isChosenAsList(REGIONS, "[]", '["us"]'), true);
  assertEquals(isChosenAsList(REGIONS, "eu", "eu"), false);
  assertEquals(isChosenAsList(['["eu"]', '["us"]'], '["eu"]', '["eu"]'), false);
  assertEquals(isChosenAsList([], '["eu"]', '["eu"]'), false);
  // What a link brings may be no list: it is seen as it is.
  assertEquals(isChosenAsList(REGIONS, '["eu"]', "us"), false);
});

Deno.test("the value is the list of what is chosen, in the form of the usual one", () => {
  assertEquals(listText(["eu", "us"], '[ "us", "eu" ]'), '[ "us", "eu" ]');
  assertEquals(listText(["us"], '["eu"]'), '["us"]');
  assertEquals(listText([], '["eu"]'), "[]");
  assertEquals(listText(["1", "2"], "[]"), '["1","2"]');
  assertEquals(listText(["1", "2", "x"], "[1]"), '[1,2,"x"]');
  assertEquals(listText(["1"], '["1","2"]'), '["1"]');
  // Texts may be written with escapes: they are texts.
  assertEquals(listText(["1", "é"], '["\\u00e9"]'), '["1","é"]');
});
