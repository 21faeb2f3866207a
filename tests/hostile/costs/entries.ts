/** The entries of untrusted texts and objects, and the shapes with which each is tested. */
import { parseJson } from "@tiphys/base/bounded_json";
import { itemsOf } from "@tiphys/base/fields_of";
import { SelectorError } from "@tiphys/base/selector/label_selector";
import { parseFieldSelector, parseLabelSelector } from "@tiphys/kube/selectors";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  JsonPatchError,
  StrategicPatchError,
} from "@tiphys/kube/patch";
import {
  atoi,
  DurationError,
  fromBytes,
  nearestInteger,
  parseArgoDuration,
  parseFloat64,
  parseInteger,
  toBytes,
} from "@tiphys/base/go";
import { LIMITS } from "@tiphys/base/limits";
import { type CustomValue, MetricError, MetricRegistry } from "@tiphys/base/metrics";
import { CronError, parseSchedule } from "@tiphys/language/template";
import { jsonBody } from "@tiphys/language/text_worker";
import { lintFile } from "@tiphys/language/validate";
import { parseYaml, positionOf, stringifyYaml } from "@tiphys/model/yaml";
import { schemaCauses, withDefinedDefaults } from "../../../local/api/rules/defined_schema.ts";
import { compileRegex } from "@tiphys/language/template/expr/regex";
import { translatePattern } from "../../../lib/language/template/expr/regex_dialect.ts";
import { readQuery } from "../../../server/wire/query.ts";
import { DEFINED_SHAPES } from "./defined_shapes.ts";
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
    run: (text) => parseYaml(text, { allowsRepeatedKeys: true }).map(({ value }) => value),
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
  "objects of a defined kind": { shapes: DEFINED_SHAPES, run: checkDefined, smallest: 4 << 10, largest: 256 << 10 },
  "numbers and durations": { shapes: digitShapes(), run: readNumbers, smallest: 4 << 10, largest: 256 << 10 },
  "bytes of a text": {
    shapes: characterShapes(),
    run: (text) => fromBytes(toBytes(text)),
    smallest: 4 << 10,
    largest: 1 << 20,
  },
  "patterns": { shapes: patternShapes(), run: translatePattern, smallest: 4 << 10, largest: 256 << 10 },
  "searches": { shapes: searchShapes(), run: search, smallest: 4 << 10, largest: 64 << 10 },
  "selectors": { shapes: selectorShapes(), run: readSelectors, smallest: 4 << 10, largest: 256 << 10 },
  "queries": { shapes: queryShapes(), run: readParameters, smallest: 4 << 10, largest: 256 << 10 },
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

/** The errors of an object, after its defaults are set. The text is `[SCHEMA, OBJECT]`. */
function checkDefined(text: string): unknown {
  const [schema, object] = itemsOf(readJson(text));
  return schemaCauses(withDefinedDefaults(object, schema), schema);
}

function readNumbers(text: string): unknown {
  return [atoi(text), nearestInteger(text), parseInteger(text), parseFloat64(text), durationOf(text)];
}

function durationOf(text: string): unknown {
  try {
    return parseArgoDuration(text);
  } catch (error) {
    if (error instanceof DurationError) return undefined;
    throw error;
  }
}

/** The results of both kinds of selectors for an object. */
function readSelectors(text: string): unknown {
  return [parseLabelSelector, parseFieldSelector].map((parse) => {
    try {
      return parse(text);
    } catch (error) {
      if (error instanceof SelectorError) return undefined;
      throw error;
    }
  });
}

function row(unit: string, begin = "", end = ""): Shape {
  return (size) => begin + unit.repeat(size / unit.length) + end;
}

function digitShapes(): Readonly<Record<string, Shape>> {
  return {
    "digits": row("9"),
    "negative digits": row("9", "-"),
    "digits and a unit": row("9", "", "h"),
    "digits behind a point": row("3", "0.", "h"),
    "zeros": row("0", "", "1"),
    "zeros and a unit": row("0", "", "1h"),
    "hexadecimal digits": row("f", "0x"),
    "hexadecimal digits behind a point": row("f", "0x1.", "p1"),
    "octal digits": row("7", "0"),
    "underscores": row("1_", "", "1"),
    "points": row("."),
    "durations": row("1ns"),
    "exponents": row("9", "1e"),
    "unpaired surrogates": row("\ud83d"),
  };
}

function characterShapes(): Readonly<Record<string, Shape>> {
  return {
    "unpaired surrogates": row("\ud83d"),
    "invalid bytes": row("\udcff"),
    "invalid bytes between letters": row("a\udc80"),
    "characters of two units": row("😀", "\ud83d"),
    "letters": row("é", "\ud83d"),
  };
}

function patternShapes(): Readonly<Record<string, Shape>> {
  return {
    "unclosed names of groups": row("(?<"),
    "unclosed names of groups, as in Python": row("(?P<"),
    "unclosed classes of characters": row("\\p{"),
    "unclosed classes in brackets": row("[:", "(?<a>[["),
    "quotes": row("\\Q", "(?<a>"),
    "names of groups": (size) => Array.from({ length: size / 10 }, (_, index) => `(?<n${index}>a)`).join(""),
  };
}

/** The text is `PATTERN SUBJECT`. */
function search(text: string): unknown {
  const [pattern = "", subject = ""] = text.split(" ");
  return compileRegex(pattern).matchesWithin(Infinity, subject, () => performance.now());
}

/** Wide expressions: their matcher has too many sets of states to store them. The last character is in the subject. */
function searchShapes(): Readonly<Record<string, Shape>> {
  const letters = (size: number) => Array.from({ length: size }, (_, index) => "ab"[(index * index >> 3) % 2]).join("");
  const of = (pattern: string): Shape => (size) => `${pattern} c${letters(size)}`;
  return {
    "a letter far before the end": of("a.{40}c"),
    "optional letters": of("(?:[ab]?){40}c$"),
    "alternatives of repeated letters": of("(?:a{9}|b{8}|.{7}a|.{6}b){5}c"),
  };
}

function selectorShapes(): Readonly<Record<string, Shape>> {
  return {
    "names": row("a,", "", "a"),
    "absent names": row("!a,", "", "!a"),
    "equalities": row("a=b,", "", "a=b"),
    "comparisons": row("a>1,", "", "a>1"),
    "values of a set": row("b,", "a in (", "b)"),
    "different values of a set": (size) =>
      `a in (${Array.from({ length: size / 6 }, (_, index) => `b${index}`).join()})`,
    "commas in a set": row(",", "a in (", ")"),
    "parentheses": row("(", "a in "),
    "backslashes": row("\\", "a="),
    "escaped commas": row("\\,", "a="),
    "spaces": row(" ", "a", "=b"),
    "one long name": row("a"),
    "one long value": row("a", "a="),
  };
}

/** The parameters of a request. */
function readParameters(text: string): unknown {
  return readQuery(new URLSearchParams(text), { fields: "string", phases: "strings" });
}

function queryShapes(): Readonly<Record<string, Shape>> {
  return {
    "one name many times": row("fields=&"),
    "values of one name": row("phases=a&"),
    "different names": (size) => Array.from({ length: size / 8 }, (_, index) => `p${index}=1`).join("&"),
    "underscores": row("_a"),
    "escapes": row("%61"),
  };
}

function scheduleShapes(): Readonly<Record<string, Shape>> {
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
