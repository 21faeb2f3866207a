/** The entries of untrusted texts and objects, and the shapes with which each is tested. */
import { parseJson } from "@tiphys/base/bounded_json";
import { itemsOf } from "@tiphys/base/fields_of";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  JsonPatchError,
  StrategicPatchError,
} from "@tiphys/kube/patch";
import { LIMITS } from "@tiphys/base/limits";
import { type CustomValue, MetricError, MetricRegistry } from "@tiphys/base/metrics";
import { CronError, parseSchedule } from "@tiphys/language/template";
import { jsonBody } from "@tiphys/language/text_worker";
import { lintFile } from "@tiphys/language/validate";
import { parseYaml, positionOf, stringifyYaml } from "@tiphys/model/yaml";
import { JSON_SHAPES } from "./json_shapes.ts";
import { JSON_PATCH_SHAPES, MERGE_PATCH_SHAPES, STRATEGIC_PATCH_SHAPES } from "./patch_shapes.ts";
import { type Shape, YAML_SHAPES } from "./shapes.ts";
import { WORKFLOW_SHAPES } from "./workflow_shapes.ts";

/** One entry. */
export interface CostEntry {
  readonly shapes: Readonly<Record<string, Shape>>;
  /** Processes a text as the program does, and returns what the program retains. */
  readonly run: (text: string) => unknown;
  /** The smallest and the largest tested size of a text, in characters. */
  readonly smallest: number;
  readonly largest: number;
}

/** Entries by name. */
export const ENTRIES: Readonly<Record<string, CostEntry>> = {
  "YAML": {
    shapes: YAML_SHAPES,
    run: (text) => parseYaml(text, { repeatsKeys: true }).map(({ value }) => value),
    smallest: 4 << 10,
    largest: 256 << 10,
  },
  "YAML and its places": { shapes: YAML_SHAPES, run: placesOf, smallest: 4 << 10, largest: 256 << 10 },
  "JSON": {
    shapes: JSON_SHAPES,
    run: (text) => jsonBody({ text, depth: LIMITS.depth }),
    smallest: 64 << 10,
    largest: LIMITS.bodyBytes,
  },
  "YAML that is written": {
    shapes: JSON_SHAPES,
    run: (text) => stringifyYaml(readJson(text)),
    smallest: 4 << 10,
    largest: 256 << 10,
  },
  "lint": { shapes: WORKFLOW_SHAPES, run: (text) => lintFile(text, "w.yaml"), smallest: 4 << 10, largest: 256 << 10 },
  "JSON patches": {
    shapes: JSON_PATCH_SHAPES,
    run: (text) => applyPatch(text, applyJsonPatch),
    smallest: 16 << 10,
    largest: 1 << 20,
  },
  "merge patches": {
    shapes: MERGE_PATCH_SHAPES,
    run: (text) => applyPatch(text, applyMergePatch),
    smallest: 16 << 10,
    largest: 1 << 20,
  },
  "strategic merge patches": {
    shapes: STRATEGIC_PATCH_SHAPES,
    run: (text) => applyPatch(text, (object, patch) => applyStrategicMergePatch(object, patch, "Pod")),
    smallest: 16 << 10,
    largest: 1 << 20,
  },
  "schedules": { shapes: scheduleShapes(), run: slotOf, smallest: 4 << 10, largest: 256 << 10 },
  "metrics": { shapes: metricShapes(), run: recordAll, smallest: 4 << 10, largest: 256 << 10 },
};

/** Every shape at every entry. */
export function curves(): { readonly name: string; readonly entry: CostEntry; readonly shape: Shape }[] {
  return Object.entries(ENTRIES).flatMap(([place, entry]) =>
    Object.entries(entry.shapes).map(([name, shape]) => ({ name: `${place}: ${name}`, entry, shape }))
  );
}

/** The places of all top-level fields of a text in which keys may not be repeated. */
function placesOf(text: string): unknown {
  const [document] = parseYaml(text);
  if (!document) return undefined;
  const { value } = document;
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return keys.map((key) => positionOf(document, [Array.isArray(value) ? Number(key) : key]));
}

function readJson(text: string): unknown {
  try {
    return parseJson(text, { values: LIMITS.jsonValues });
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The result of a patch on its object; undefined for a refused patch. */
function applyPatch(text: string, apply: (object: unknown, patch: unknown) => unknown): unknown {
  const [object, patch] = itemsOf(readJson(text));
  try {
    return apply(object, patch);
  } catch (error) {
    if (error instanceof JsonPatchError || error instanceof StrategicPatchError) return undefined;
    throw error;
  }
}

function slotOf(text: string): unknown {
  try {
    return parseSchedule(text).next(new Date(0));
  } catch (error) {
    if (error instanceof CronError) return undefined;
    throw error;
  }
}

function scheduleShapes(): Readonly<Record<string, Shape>> {
  const row = (unit: string, begin: string, end: string): Shape => (size) =>
    begin + unit.repeat(size / unit.length) + end;
  return {
    "minutes": row("0-59,", "", " * * * *"),
    "days that no month has": row("31,", "0 0 ", " 2 *"),
    "steps": row("*/1,", "", " 0 29 2 *"),
    "commas": row(",", "", " * * * *"),
    "slashes": row("/1", "*", " * * * *"),
    "hyphens": row("-1", "1", " * * * *"),
    "fields": row("* ", "", "*"),
    "spaces": row(" ", "* *", "* * *"),
    "one long name": row("x", "0 0 * * ", ""),
    "one long zone": row("x", "CRON_TZ=", " * * * * *"),
    "one long interval": row("1h", "@every ", ""),
    "digits": row("1", "", " * * * *"),
  };
}

/** Values of metrics, one per line: name, help, label. */
function metricShapes(): Readonly<Record<string, Shape>> {
  const lines = (make: (index: number) => string): Shape => (size) =>
    Array.from({ length: size / make(100).length }, (_, index) => make(index)).join("\n");
  return {
    "series": lines((index) => `m h l${index}`),
    "series of long labels": lines((index) => `m h ${"l".repeat(1000)}${index}`),
    "metrics": lines((index) => `m${index} h l`),
    "metrics of long helps": lines((index) => `m${index} ${"h".repeat(1000)} l`),
    "one series": lines(() => "m h l"),
  };
}

function recordAll(text: string): unknown {
  const registry = new MetricRegistry({ now: () => 0 });
  for (const line of text.split("\n")) {
    const [name = "", help = "", label = ""] = line.split(" ");
    const value: CustomValue = { name, help, type: "counter", labels: { label }, value: 1 };
    try {
      registry.record(value, "a");
    } catch (error) {
      if (!(error instanceof MetricError)) throw error;
    }
  }
  return registry;
}
