/** The fields that hold expressions, and in which of the languages. */
import type { PathSegments } from "@tiphys/model/api";
import { metered, MeterError } from "../../template/expr/meter.ts";
import { findTags, isClosed } from "../../template/tags.ts";
import { evaluateStrictWhen, evaluateWhen } from "../../template/when/when.ts";
import type { Place, Report } from "../report.ts";
import { Scope } from "../scope.ts";
import { visitTexts } from "../texts.ts";
import { judgeDepends } from "./depends.ts";
import type { Fault } from "./fault.ts";
import { judgeExpression } from "./judge.ts";
import type { ExpressionScope } from "./types.ts";
import { judgeWhen } from "./when.ts";

/** Looks into every expression in the texts of a value: in tags, and where a field is one as a whole. */
export function checkExpressions(
  report: Report,
  value: unknown,
  scope: Scope,
  place: Place,
  ...field: PathSegments
): void {
  // Expressions of another document are judged with that document.
  if (!report.judgesExpressions || !place.isHere) return;
  visitTexts(value, field, (text, at) => {
    const path = place.at(...at);
    tellFaults(report, path, () => faultsOf(text, path, scope));
  });
}

/** Faults that are told of one text. */
const MOST_FAULTS = 100;

/** Reports faults; that there was no time to find them is one. */
function tellFaults(report: Report, path: PathSegments, judge: () => Fault[]): void {
  try {
    for (const fault of metered(judge).slice(0, MOST_FAULTS)) report.find(path, fault);
  } catch (error) {
    if (!(error instanceof MeterError)) throw error;
    if (report.tellsOf(error)) report.find(path, { offset: 0, severity: "error", message: error.reason });
  }
}

/** Looks into the `when` of a cron workflow, which knows the cron workflow alone. */
export function checkCronWhen(report: Report, when: string, place: Place): void {
  if (!report.judgesExpressions || when === "") return;
  const names = new Scope();
  tellFaults(report, place.at("when"), () => {
    const faults = judgeTags(when, { names, roots: ["cronworkflow"] });
    return faults.length > 0 ? faults : judgeWhen(when, evaluateStrictWhen);
  });
}

function faultsOf(text: string, path: PathSegments, scope: Scope): Fault[] {
  const faults = judgeTags(text, { names: scope });
  // Most texts can be judged only when their tags are filled in; `when` can be read with stand-ins for them.
  if (faults.length > 0) return faults;
  const field = path.at(-1);
  if (field === "when") return judgeWhen(text, evaluateWhen);
  return text.includes("{{") ? [] : judgeField(text, path, scope);
}

/** The faults in the expression tags of a text, at their offsets in it. */
function judgeTags(text: string, scope: ExpressionScope): Fault[] {
  if (!text.includes("{{") || !isClosed(text)) return [];
  const { texts, tags } = findTags(text);
  let offset = 0;
  return tags.flatMap((tag, index) => {
    offset += (texts[index] ?? "").length + "{{".length;
    const start = offset;
    offset += tag.length + "}}".length;
    if (/^\s+=/.test(tag)) return [spacedTag(tag, start)];
    if (!tag.startsWith("=")) return [];
    return judgeExpression(tag.slice(1), { scope })
      .map((fault) => ({ ...fault, offset: fault.offset + start + 1 }));
  });
}

function spacedTag(tag: string, offset: number): Fault {
  const message =
    `{{${tag}}} is no expression but a name, since = must follow the braces at once; write {{${tag.trim()}}}`;
  return { severity: "warning", offset, message };
}

/** The fields that are an expression without braces. */
function judgeField(text: string, path: PathSegments, names: Scope): Fault[] {
  if (text === "") return [];
  const [field, parent, grandparent] = path.toReversed();
  if (field === "fromExpression") return judgeExpression(text, { scope: { names } });
  if (field === "successCondition" && parent === "http") {
    return judgeExpression(text, { scope: { names, roots: ["request", "response"], isPlain: true }, wanted: "bool" });
  }
  if (field === "depends") return judgeDepends(text);
  if (field !== "expression") return [];
  if (parent === "valueFrom") return judgeExpression(text, { scope: { names } });
  if (parent === "retryStrategy") return judgeExpression(text, { scope: { names: RETRY }, wanted: "bool" });
  if (grandparent === "hooks") return judgeExpression(text, { scope: { names }, wanted: "bool" });
  if (grandparent === "labelsFrom") return judgeExpression(text, { scope: { names }, wanted: "string" });
  if (grandparent === "transformation") {
    return judgeExpression(text, { scope: { names, roots: ["data"], isPlain: true } });
  }
  if (parent === "stopStrategy") {
    return judgeExpression(text, { scope: { names, roots: ["cronworkflow"], isPlain: true }, wanted: "bool" });
  }
  return [];
}

/** The only names in the expression of a retry: the number of retries, and facts about the attempt before. */
const RETRY = new Scope();
RETRY.add("retries", ...["exitCode", "status", "duration", "message"].map((field) => `lastRetry.${field}`));
