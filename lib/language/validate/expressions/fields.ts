/** The fields with expressions, and their languages. */
import type { PathSegments } from "@tiphys/model/api";
import { metered, MeterError } from "../../template/expr/meter.ts";
import { findTags, isClosed } from "../../template/tags.ts";
import { evaluateStrictWhen, evaluateWhen } from "../../template/when/when.ts";
import type { FieldLocation, Report } from "../report.ts";
import { Scope } from "../scope.ts";
import { visitTexts } from "../texts.ts";
import { dependsFaults } from "./depends.ts";
import type { Fault } from "./fault.ts";
import { expressionFaults } from "./expression_faults.ts";
import type { ExpressionScope } from "./types.ts";
import { whenFaults } from "./when.ts";

/** Checks all expressions in the texts of a value: in tags, and in fields that are expressions as a whole. */
export function checkExpressions(
  report: Report,
  value: unknown,
  scope: Scope,
  fieldPath: FieldLocation,
  ...field: PathSegments
): void {
  // Expressions of another document are checked with that document.
  if (!report.judgesExpressions || !fieldPath.isHere) return;
  visitTexts(value, field, (text, segments) => {
    const path = fieldPath.pathTo(...segments);
    reportFaults(report, path, () => faultsOf(text, path, scope));
  });
}

/** Maximum number of faults reported for one text. */
const MAX_FAULTS = 100;

/** Reports faults; exceeding the time limit is one of them. */
function reportFaults(report: Report, path: PathSegments, judge: () => Fault[]): void {
  try {
    for (const fault of metered(judge).slice(0, MAX_FAULTS)) report.addFinding(path, fault);
  } catch (error) {
    if (!(error instanceof MeterError)) throw error;
    if (report.reportsTimeout(error)) report.addFinding(path, { offset: 0, severity: "error", message: error.reason });
  }
}

/** Checks the `when` of a cron workflow, which can only use names of the cron workflow. */
export function checkCronWhen(report: Report, when: string, fieldPath: FieldLocation): void {
  if (!report.judgesExpressions || when === "") return;
  const names = new Scope();
  reportFaults(report, fieldPath.pathTo("when"), () => {
    const faults = tagFaults(when, { names, roots: ["cronworkflow"] });
    return faults.length > 0 ? faults : whenFaults(when, evaluateStrictWhen);
  });
}

function faultsOf(text: string, path: PathSegments, scope: Scope): Fault[] {
  const faults = tagFaults(text, { names: scope });
  // Most texts can only be checked after substitution; `when` can be parsed with stand-ins for its tags.
  if (faults.length > 0) return faults;
  const field = path.at(-1);
  if (field === "when") return whenFaults(text, evaluateWhen);
  return text.includes("{{") ? [] : fieldFaults(text, path, scope);
}

/** Returns the faults in the expression tags of a text, with their offsets in it. */
function tagFaults(text: string, scope: ExpressionScope): Fault[] {
  if (!text.includes("{{") || !isClosed(text)) return [];
  const { texts, tags } = findTags(text);
  let offset = 0;
  return tags.flatMap((tag, index) => {
    offset += (texts[index] ?? "").length + "{{".length;
    const start = offset;
    offset += tag.length + "}}".length;
    if (/^\s+=/.test(tag)) return [spacedTagFault(tag, start)];
    if (!tag.startsWith("=")) return [];
    return expressionFaults(tag.slice(1), { scope })
      .map((fault) => ({ ...fault, offset: fault.offset + start + 1 }));
  });
}

function spacedTagFault(tag: string, offset: number): Fault {
  const message =
    `{{${tag}}} is a name and not an expression, because = must follow the braces directly; write {{${tag.trim()}}}`;
  return { severity: "warning", offset, message };
}

/** Checks the fields that are an expression without braces. */
function fieldFaults(text: string, path: PathSegments, names: Scope): Fault[] {
  if (text === "") return [];
  const [field, parent, grandparent] = path.toReversed();
  if (field === "fromExpression") return expressionFaults(text, { scope: { names } });
  if (field === "successCondition" && parent === "http") {
    return expressionFaults(text, {
      scope: { names, roots: ["request", "response"], isPlain: true },
      requiredType: "bool",
    });
  }
  if (field === "depends") return dependsFaults(text);
  if (field !== "expression") return [];
  if (parent === "valueFrom") return expressionFaults(text, { scope: { names } });
  if (parent === "retryStrategy") {
    return expressionFaults(text, { scope: { names: RETRY_NAMES }, requiredType: "bool" });
  }
  if (grandparent === "hooks") return expressionFaults(text, { scope: { names }, requiredType: "bool" });
  if (grandparent === "labelsFrom") return expressionFaults(text, { scope: { names }, requiredType: "string" });
  if (grandparent === "transformation") {
    return expressionFaults(text, { scope: { names, roots: ["data"], isPlain: true } });
  }
  if (parent === "stopStrategy") {
    return expressionFaults(text, { scope: { names, roots: ["cronworkflow"], isPlain: true }, requiredType: "bool" });
  }
  return [];
}

/** The names in the expression of a retry: the number of retries, and facts about the previous attempt. */
const RETRY_NAMES = new Scope();
RETRY_NAMES.add("retries", ...["exitCode", "status", "duration", "message"].map((field) => `lastRetry.${field}`));
