/** The conditions of a cron workflow: when it may start a workflow, and when it stops permanently. */
import { RFC3339 } from "@tiphys/base/go/layout";
import { parseTime } from "@tiphys/base/go/layout_parse";
import { marshalJson } from "@tiphys/base/go/json";
import { toBytes } from "@tiphys/base/go/utf8";
import { INT64, STRING_MAP } from "@tiphys/base/go/type";
import { GoInt, GoMap, type Value } from "@tiphys/base/go/value";
import { UserError } from "@tiphys/base/user_error";
import { evaluatePlainCondition } from "../condition.ts";
import { TemplateError } from "../error.ts";
import { evaluateStrictWhen, notBoolean } from "../when/when.ts";
import { renderText } from "../render.ts";

/** The fields of a cron workflow that its conditions can use. */
export interface CronFacts {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: { readonly [label: string]: string };
  readonly annotations?: { readonly [annotation: string]: string };
  readonly failed?: number;
  readonly succeeded?: number;
  /** The number of running workflows of the cron workflow. */
  readonly active?: number;
  /** RFC 3339. */
  readonly lastScheduledTime?: string;
}

/**
 * Evaluates a cron workflow's `when`, including its tags; an empty one is true. Unlike in a step's `when`, bare words
 * fail.
 * @throws {TemplateError}
 */
export function evaluateCronWhen(when: string, facts: CronFacts): boolean {
  if (when === "") return true;
  const scope = new Map(variables(facts).map(([name, value]) => [`cronworkflow.${name}`, value]));
  const text = renderText(when, scope, { kind: "all" });
  if (text === "") return true;
  const value = evaluateStrictWhen(text);
  if (typeof value === "boolean") return value;
  throw notBoolean(text, value);
}

/**
 * Evaluates `stopStrategy.expression`.
 * @throws {TemplateError}
 */
export function evaluateCronStop(expression: string, facts: CronFacts): boolean {
  try {
    return evaluatePlainCondition(expression, { cronworkflow: Object.fromEntries(variables(facts)) });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new TemplateError(`failed to evaluate stop expression: ${error.message}`, { cause: error });
  }
}

/** Returns the names without `cronworkflow.`. `annotations` has the labels, as in Argo. */
function variables(facts: CronFacts): [string, Value][] {
  const labels = new GoMap(STRING_MAP, Object.entries(facts.labels ?? {}));
  return [
    ["name", facts.name],
    ["namespace", facts.namespace ?? ""],
    ["labels", labels],
    ["annotations", labels],
    ["failed", new GoInt(BigInt(facts.failed ?? 0), INT64)],
    ["succeeded", new GoInt(BigInt(facts.succeeded ?? 0), INT64)],
    ["active", new GoInt(BigInt(facts.active ?? 0), INT64)],
    ["labels.json", toBytes(marshalJson(facts.labels ?? null))],
    ["annotations.json", toBytes(marshalJson(facts.annotations ?? null))],
    ["lastScheduledTime", facts.lastScheduledTime ? parseTime(RFC3339, facts.lastScheduledTime) : null],
  ];
}
