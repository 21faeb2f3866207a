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

function expand(vector: Vector): unknown {
  const step = readStep(vector.step);
  const isLoop = step.withItems?.length || step.withParam || step.withSequence;
  if (vector.kind === "expandstep" && !isLoop) throw new TemplateError("This step is not a loop");
  const values = new Map(Object.entries(vector.scope as Record<string, string | null>));
  return expandLoop(step, values).map((child) => {
    const { withItems: _items, withParam: _param, ...rest } = child;
    return { name: child.name!, json: prune(rest as Json) };
  });
}

function parseOutput(vector: Vector): unknown {
  return vector.output &&
    (vector.output as { name: string; json: string }[]).map(({ name, json }) => ({
      name,
      json: prune(JSON.parse(json)),
    }));
}

export const LOOPS: Record<string, Check> = {
  item: (vector) => {
    if (vector.error !== undefined) return checkOutcome(vector, () => Item.parse(vector.json));
    const item = Item.parse(vector.json);
    assertEquals(item.kind, vector.itemType);
    assertEquals(item.text, vector.string);
    assertEquals(item.text, vector.v);
    assertEquals(item.json, vector.marshal);
    if (vector.strVal !== undefined) assertEquals(item.stringValue, vector.strVal);
  },
  sequence: (vector) => checkOutcome(vector, () => expandSequence(vector.sequence).map((item) => item.text)),
  expandstep: (vector) => checkOutcome(vector, () => expand(vector), parseOutput(vector)),
  expandtask: (vector) => checkOutcome(vector, () => expand(vector), parseOutput(vector)),
};
