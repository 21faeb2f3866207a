/** Checkers of the vectors of loops. */
import { assertEquals } from "@std/assert";
import { TemplateError } from "@tiphys/language/template/error";
import { Item } from "../../lib/language/template/item.ts";
import { compactJson, jsonEntries } from "../../lib/language/template/json_text.ts";
import { expandLoop, type LoopHolder } from "../../lib/language/template/loop.ts";
import { expandSequence } from "../../lib/language/template/sequence.ts";
import { type Check, checkOutcome, type Json, prune, type Vector } from "./vector.ts";

/** Parses a step, keeping the notation of its items. */
function readStep(json: string): LoopHolder {
  const items = jsonEntries(compactJson(json)).get("withItems");
  const step = JSON.parse(json);
  return items === undefined ? step : { ...step, withItems: Item.parseList(items) };
}

function expand(v: Vector): unknown {
  const step = readStep(v.step);
  const isLoop = step.withItems?.length || step.withParam || step.withSequence;
  if (v.kind === "expandstep" && !isLoop) throw new TemplateError("This step is not a loop");
  const values = new Map(Object.entries(v.scope as Record<string, string | null>));
  return expandLoop(step, values).map((child) => {
    const { withItems: _items, withParam: _param, ...rest } = child;
    return { name: child.name!, json: prune(rest as Json) };
  });
}

function parseOutput(v: Vector): unknown {
  return v.output &&
    (v.output as { name: string; json: string }[]).map(({ name, json }) => ({ name, json: prune(JSON.parse(json)) }));
}

export const LOOPS: Record<string, Check> = {
  item: (v) => {
    if (v.error !== undefined) return checkOutcome(v, () => Item.parse(v.json));
    const item = Item.parse(v.json);
    assertEquals(item.kind, v.itemType);
    assertEquals(item.text, v.string);
    assertEquals(item.text, v.v);
    assertEquals(item.json, v.marshal);
    if (v.strVal !== undefined) assertEquals(item.stringValue, v.strVal);
  },
  sequence: (v) => checkOutcome(v, () => expandSequence(v.sequence).map((item) => item.text)),
  expandstep: (v) => checkOutcome(v, () => expand(v), parseOutput(v)),
  expandtask: (v) => checkOutcome(v, () => expand(v), parseOutput(v)),
};
