/** `successCondition` and `failureCondition` of resource templates: label selectors over the fields of an object. */
import { formatFloatPlain } from "@tiphys/base/go/format_float";
import { quote } from "@tiphys/base/go/quote";
import { TemplateError } from "./error.ts";
import { compactJson, jsonElements, jsonEntry } from "./json_text.ts";
import {
  meetsRequirement,
  parseRequirements,
  type Requirement,
  SelectorError,
} from "@tiphys/base/selector/label_selector";

/** The result for an object: `met`, `failed` permanently, or `waiting` for a later check. */
export type ResourceConditionResult =
  | { readonly kind: "met" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "waiting"; readonly message: string };

/**
 * Evaluates the conditions against an object, given as JSON text. Any failure term fails it; all success terms must
 * hold. A term's key is a path of fields and indexes.
 * @throws {TemplateError} for a condition that cannot be parsed, then for an object that is not valid JSON.
 */
export function evaluateResourceConditions(json: string, success: string, failure: string): ResourceConditionResult {
  const [wanted, feared] = [requirementsOf(success), requirementsOf(failure)];
  const object = parseObject(json);
  const lookUp = (path: string) => textAt(object, path);
  const failed = feared.find((requirement) => meetsRequirement(requirement, lookUp));
  if (failed) return { kind: "failed", message: `failure condition '${print(failed)}' evaluated true` };
  if (wanted.every((requirement) => meetsRequirement(requirement, lookUp))) return { kind: "met" };
  return {
    kind: "waiting",
    message: "Neither success condition nor the failure condition has been matched. Retrying...",
  };
}

function parseObject(json: string): string {
  try {
    return compactJson(json);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const reason = "Encountered invalid JSON response when checking resource status. Will not be retried: ";
    throw new TemplateError(reason + quote(json), { cause: error });
  }
}

function requirementsOf(condition: string): Requirement[] {
  try {
    return parseRequirements(condition);
  } catch (error) {
    if (error instanceof SelectorError) throw new TemplateError(error.message, { cause: error });
    throw error;
  }
}

/** The names that Kubernetes prints for these operators. */
const OPERATOR_WORDS: Readonly<Record<string, string>> = { ">": "gt", "<": "lt" };

/** Formats a requirement as in Argo's messages. */
function print({ key, operator, values }: Requirement): string {
  return `{${key} ${OPERATOR_WORDS[operator] ?? operator} [${values.join(" ")}]}`;
}

/**
 * Returns the value at a path as text: objects and lists as JSON, null as the empty string, undefined if it does not
 * exist.
 */
function textAt(object: string, path: string): string | undefined {
  let json: string | undefined = object;
  for (const part of path.split(".")) {
    if (json.startsWith("{")) json = jsonEntry(json, part);
    else json = json.startsWith("[") && /^\d+$/.test(part) ? jsonElements(json)[Number(part)] : undefined;
    if (json === undefined) return undefined;
  }
  if (json === "null") return "";
  if (json.startsWith('"')) return String(JSON.parse(json));
  // Integers keep all their digits; other numbers are printed like floats.
  return /^-?\d/.test(json) && !/^-?\d+$/.test(json) ? formatFloatPlain(Number(json)) : json;
}
