import { assertEquals, assertThrows } from "@std/assert";
import type { NodeStatus } from "@tiphys/model/api";
import { ActionError } from "./error.ts";
import { parseNodeSelector } from "./node_selector.ts";

const NODE: NodeStatus = {
  id: "w-1",
  name: "w.a",
  displayName: "a",
  type: "Suspend",
  phase: "Running",
  templateRef: { name: "shared", template: "ask" },
  templateName: "other",
  inputs: { parameters: [{ name: "tag", value: "v1" }] },
};

Deno.test("parseNodeSelector: selects nodes by any field, and all terms must hold", () => {
  const table: [string, boolean][] = [
    ["", true],
    ["id=w-1", true],
    ["name==w.a", true],
    ["displayName!=a", false],
    ["phase=Running,displayName=a", true],
    ["phase=Running,displayName=b", false],
    ["templateName=ask", true],
    ["templateRef.name=shared", true],
    ["templateRef.template=ask", true],
    ["inputs.parameters.tag.value=v1", true],
    ["inputs.parameters.other.value=v1", false],
    ["inputs.parameters.other.value!=v1", true],
  ];
  for (const [selector, expected] of table) assertEquals(parseNodeSelector(selector)(NODE), expected, selector);
});

Deno.test("parseNodeSelector: rejects a malformed selector and an unknown field", () => {
  assertThrows(() => parseNodeSelector("phase"), ActionError, "unable to parse node field selector 'phase'");
  assertThrows(() => parseNodeSelector("colour=red"), ActionError, 'got "colour"');
  assertThrows(() => parseNodeSelector("constructor!=red"), ActionError, 'got "constructor"');
});
