import { assertEquals, assertThrows } from "@std/assert";
import { fillJsonPath } from "./json_path.ts";
import { JsonPathError } from "./json_path_parser.ts";

const JOB = {
  kind: "Job",
  metadata: { name: "x", labels: { "a.b/c": "d", z: "1" }, none: null },
  status: {
    active: 0,
    ratio: 1.5,
    far: 1e21,
    ok: true,
    conditions: [{ type: "Ready", status: "True", n: 1 }, { type: "Other", status: "False", n: 2, x: "<a>" }],
  },
  items: [1, 2, 3, 4],
  empty: [],
  nested: [[1, 2], [3]],
};

/** Templates with the output of `kubectl get -o jsonpath=…` for the object above. */
const PRINTED: readonly (readonly [template: string, printed: string])[] = [
  ["{.metadata.name}", "x"],
  ["metadata.name", "metadata.name"],
  ["{.kind}-{.kind}", "Job-Job"],
  ["{$.kind}{@.kind}{ .kind }", "JobJobJob"],
  ["{.metadata.labels}", '{"a.b/c":"d","z":"1"}'],
  ["{.metadata.labels.a\\.b/c}{.metadata.labels['a\\.b/c']}{.metadata.labels['z']}", "dd1"],
  ["{.nope}{.nope.more}", ""],
  ["{.metadata.none}", "null"],
  ["{.status.active} {.status.ratio} {.status.far} {.status.ok}", "0 1.5 1e+21 true"],
  ["{.status.conditions[*].type}", "Ready Other"],
  ['{.status.conditions[?(@.type=="Ready")].status}', "True"],
  ["{.status.conditions[?(@.type!='Ready')].n}", "2"],
  ["{.status.conditions[?(@.n>=1)].type}", "Ready Other"],
  ["{.status.conditions[?(@.x)].x}", "<a>"],
  ["{.status.conditions[1]}", '{"n":2,"status":"False","type":"Other","x":"\\u003ca\\u003e"}'],
  ['{range .status.conditions[*]}{.type}={.status}{"\\n"}{end}', "Ready=True\nOther=False\n"],
  ["{range .nested[*]}{range @[*]}{@};{end}|{end}", "1;2;|3;|"],
  ["{range .empty[*]}a{end}b", "b"],
  ["{.items[0]} {.items[-1]} {.items[1:3]} {.items[::2]} {.items[0,2]} {.items[-2:]}", "1 4 2 3 1 3 1 3 3 4"],
  ["{.items[?(@>2)]}", "3 4"],
  ["{.nested[*][0]}", "1 3"],
  ["{['kind','metadata'].name}", "x"],
  ["{..type}", "Ready Other"],
  ["{\"a\"}{'b'}{1}{true}", "ab1true"],
];

for (const [template, printed] of PRINTED) {
  Deno.test(`fillJsonPath: ${template} has the output of kubectl`, () => {
    assertEquals(fillJsonPath(template, JOB), printed);
  });
}

const REFUSED: readonly (readonly [template: string, message: string])[] = [
  ["{.kind", "unclosed action"],
  ["{.items[9]}", "array index out of bounds: index 9, length 4"],
  ["{.empty[0]}", "array index out of bounds: index 0, length 0"],
  ["{.kind[0]}", "string is not array or slice"],
  ["{.metadata[0]}", "map[string]interface {} is not array or slice"],
  ["{.items[2:1]}", "starting index 2 is greater than ending index 1"],
  ["{.items[a]}", "invalid array index a"],
  ["{end}", "not in range, nothing to end"],
  ["{foo}", "unrecognized identifier foo"],
  ['{.status.conditions[?(@.n=="1")].n}', "incompatible types for comparison"],
];

for (const [template, message] of REFUSED) {
  Deno.test(`fillJsonPath: ${template} fails with "${message}"`, () => {
    assertThrows(() => fillJsonPath(template, JOB), JsonPathError, message);
  });
}
