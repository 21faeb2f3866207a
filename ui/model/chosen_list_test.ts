import { assertEquals } from "@std/assert";
import { isChosenAsList, listText } from "./chosen_list.ts";

const REGIONS = ["eu", "us"];

Deno.test("isChosenAsList: true if the default is a list and not itself a choice", () => {
  assertEquals(isChosenAsList(REGIONS, '["eu"]', "[]"), true);
  assertEquals(isChosenAsList(REGIONS, "[]", '["us"]'), true);
  assertEquals(isChosenAsList(REGIONS, "eu", "eu"), false);
  assertEquals(isChosenAsList(['["eu"]', '["us"]'], '["eu"]', '["eu"]'), false);
  assertEquals(isChosenAsList([], '["eu"]', '["eu"]'), false);
  // A link may contain a value that is not a list; it is shown unchanged.
  assertEquals(isChosenAsList(REGIONS, '["eu"]', "us"), false);
});

Deno.test("listText: writes the selected choices in the format of the default", () => {
  assertEquals(listText(["eu", "us"], '[ "us", "eu" ]'), '[ "us", "eu" ]');
  assertEquals(listText(["us"], '["eu"]'), '["us"]');
  assertEquals(listText([], '["eu"]'), "[]");
  assertEquals(listText(["1", "2"], "[]"), '["1","2"]');
  assertEquals(listText(["1", "2", "x"], "[1]"), '[1,2,"x"]');
  assertEquals(listText(["1"], '["1","2"]'), '["1"]');
  // A quoted text may contain escapes.
  assertEquals(listText(["1", "é"], '["\\u00e9"]'), '["1","é"]');
});
