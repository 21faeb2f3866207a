import { assertEquals } from "@std/assert";
import { fieldsOfLog, jsonFields } from "./json_fields.ts";
import { LogStore } from "./log_store.ts";

const valuesOf = (text: string) => {
  const fields = jsonFields(text);
  return fields && Object.fromEntries(fields);
};

Deno.test("jsonFields: returns fields, and nested fields by both names", () => {
  assertEquals(valuesOf('{"level":"info","n":3,"http":{"status":500,"deep":{"x":1}},"tags":["a"],"none":null}'), {
    level: "info",
    n: "3",
    "http.status": "500",
    "http.deep": '{"x":1}',
    tags: '["a"]',
    none: "null",
  });
});

Deno.test("jsonFields: undefined for other lines", () => {
  for (const text of ["", "plain", "{not json}", '["a"]', '"a"', `{"a":"${"x".repeat(10_000)}"}`]) {
    assertEquals(jsonFields(text), undefined, text.slice(0, 20));
  }
});

Deno.test("fieldsOfLog: returns the fields of the last lines, most frequent first, with the width of their values", () => {
  const store = new LogStore();
  store.append("p", "", '{"old":1}');
  for (let i = 0; i < 200; i++) store.append("p", "", i % 2 ? '{"level":"info","msg":"hello world"}' : '{"msg":"x"}');
  store.append("p", "", "plain");
  assertEquals(fieldsOfLog(store), [{ name: "msg", letters: 11 }, { name: "level", letters: 5 }]);
  const long = new LogStore();
  long.append("p", "", `{"msg":"${"x".repeat(500)}"}`);
  assertEquals(fieldsOfLog(long), [{ name: "msg", letters: 48 }]);
});
