import { assertEquals } from "@std/assert";
import { binaryDataOf, dataOf } from "./object_data.ts";

Deno.test("dataOf(): returns the texts of an object and omits other values", () => {
  const data = dataOf({ data: { a: "b", c: null, d: 7, e: ["f"] } });
  assertEquals({ ...data }, { a: "b" });
  assertEquals(data["constructor"], undefined);
  assertEquals({ ...dataOf({ data: "text" }) }, {});
  assertEquals({ ...dataOf({}) }, {});
  assertEquals({ ...binaryDataOf({ binaryData: { a: "AA==" } }) }, { a: "AA==" });
});
