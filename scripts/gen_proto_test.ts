import { assertEquals, assertThrows } from "@std/assert";
import { protoTables } from "./gen_proto.ts";

const file = (fields: string) => `syntax = "proto3"; package a; enum E { X = 0; Y = 1; } message M { ${fields} }`;

Deno.test("protoTables: a row has the number, type and flags of a field", () => {
  const text = file(`
    string name = 1;
    optional int32 mode = 2;
    repeated b.Item items = 3 [(json.always) = true];
    map<string, N> nodes = 4;
    E kind = 5 [json_name = "type"];
    repeated int64 groups = 6 [packed = false];
    repeated double bounds = 7;
    bytes value = 8 [(json.format) = JSON, (json.alone) = true];`);
  assertEquals(protoTables(text).messages, {
    a: {
      M: {
        name: [1, 9],
        mode: [2, 5, 4],
        items: [3, "b.Item", 9],
        nodes: [4, "N", 2],
        type: [5, ["X", "Y"]],
        groups: [6, 3, 1],
        bounds: [7, 1, 65],
        value: [8, 103, 32],
      },
    },
  });
});

Deno.test("protoTables: a row of a method has its messages and whether it returns a stream", () => {
  const text = `package a; service S { rpc Get(G) returns (b.M); rpc Watch(W) returns (stream b.M); }`;
  assertEquals(protoTables(text).services, { a: { S: { Get: ["G", "b.M"], Watch: ["W", "b.M", true] } } });
});

Deno.test("protoTables: rejects declarations that a table cannot express, with the name of the field", () => {
  const cases: readonly [fields: string, message: string][] = [
    ["oneof o { string a = 1; string b = 2; }", "M.a: oneof is not supported"],
    ["map<int32, string> a = 1;", "M.a: keys must be strings"],
    ["string a = 1 [(json.alway) = true];", "M.a: the option (json.alway) is not supported"],
    ["bytes a = 1 [(json.format) = YAML];", "M.a: no format YAML"],
    ["float a = 1;", "M.a: the type float is not supported"],
    ["message N {}", "M: nested messages are not supported"],
  ];
  for (const [fields, message] of cases) assertThrows(() => protoTables(file(fields)), Error, message);
});
