/** `successCondition` and `failureCondition` of resource templates: label selectors over the fields of an object. */
import { formatFloatPlain } from "../go/format_float.ts";
import { TemplateError } from "./error.ts";
import { compactJson, jsonElements, jsonEntries } from "./json_text.ts";
import { meets, parseRequirements, type Requirement, SelectorError } from "./selector/label_selector.ts";

/** How an object stands: `met`, `failed` for good, or `waiting` for a later look. */
export type ResourceVerdict =
  | { readonly kind: "met" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "waiting"; readonly message: string };

/**
 * Judges an object, given as JSON text. Any failure term fails it; all success terms must hold. A term's key is a path of
 * fields and indexes. Throws a `TemplateError` for a condition that cannot be read.
 */
export function judgeResource(json: string, success: string, failure: string): ResourceVerdict {
  const object = compactJson(json);
  const lookUp = (path: string) => textAt(object, path);
  const wanted = requirementsOf(success);
  const failed = requirementsOf(failure).find((requirement) => meets(requirement, lookUp));
  if (failed) return { kind: "failed", message: `failure condition '${print(failed)}' evaluated true` };
  if (wanted.every((requirement) => meets(requirement, lookUp))) return { kind: "met" };
  return {
    kind: "waiting",
    message: "Neither success condition nor the failure condition has been matched. Retrying...",
  };
}

function requirementsOf(condition: string): Requirement[] {
  try {
    return parseRequirements(condition);
  } catch (error) {
    if (error instanceof SelectorError) throw new TemplateError(error.message, { cause: error });
    throw error;
  }
}

/** The requirement in the form users know from the peer's messages. */
function print({ key, operator, values }: Requirement): string {
  return `{${key} ${operator} [${values.join(" ")}]}`;
}

/** The value at a path as text: objects and lists as their JSON, null as nothing, undefined where there is none. */
function textAt(object: string, path: string): string | undefined {
  let json: string | undefined = object;
  for (const part of path.split(".")) {
    if (json.startsWith("{")) json = jsonEntries(json).get(part);
    else json = json.startsWith("[") && /^\d+$/.test(part) ? jsonElements(json)[Number(part)] : undefined;
    if (json === undefined) return undefined;
  }
  if (json === "null") return "";
  if (json.startsWith('"')) return JSON.parse(json);
  // Whole numbers keep their digits however many; others print as a float does.
  return /^-?\d/.test(json) && !/^-?\d+$/.test(json) ? formatFloatPlain(Number(json)) : json;
}
