/** The kinds of tables: how the question of a row is evaluated, and the format of its answer. */
import {
  anyString,
  DurationError,
  durationSeconds,
  formatDuration,
  formatFloat,
  formatValue,
  humanizeDuration,
  marshalJson,
  parseArgoDuration,
  parseDuration,
  parseTime,
  Quantity,
  QuantityError,
  RFC3339,
  strftime,
  typeName,
  unmarshalJson,
} from "@tiphys/base/go";
import { fromWire } from "../../lib/language/template/expr/testing/from_wire.ts";
import { environment, evaluate, ExpressionError, toJsonText, toText } from "../../lib/language/template/expr/mod.ts";
import {
  CronError,
  dependsLogic,
  evaluateCondition,
  evaluateDepends,
  evaluateResourceConditions,
  evaluateWhen,
  expandLoop,
  expandSequence,
  inTimezone,
  isDisplayName,
  isMemoKey,
  Item,
  labelValueErrors,
  meetsRequirement,
  type Mode,
  parameterNameErrors,
  parseRequirements,
  parseSchedule,
  printRequirements,
  qualifiedNameErrors,
  replaceTags,
  type Scope,
  SelectorError,
  stepNameErrors,
  subdomainErrors,
  TemplateError,
  workflowFieldNameErrors,
} from "@tiphys/language/template";
import { displayNodeName, loopIndex, podName, taskName } from "@tiphys/model/status";
import type { Row, TableSettings } from "./table.ts";

/** Answers a row. A user error is an answer as well: `!` and its message. */
export type Kind = (row: Row) => string;

const ERRORS = [TemplateError, DurationError, QuantityError, CronError, SelectorError, RangeError];

/** The answer to a row of a kind. */
export function answerOf(kind: string, row: Row): string {
  const ask = KINDS[kind];
  if (ask === undefined) throw new Error(`Unknown kind of table: ${kind}`);
  try {
    return ask(row).replaceAll("\n", "\\n").trimEnd() || "(nothing)";
  } catch (error) {
    if (error instanceof ExpressionError) return `!${error.phase}: ${oneLine(error.reason)}`;
    if (!ERRORS.some((type) => error instanceof type)) throw error;
    const waits = error instanceof TemplateError && error.isVariableMissing ? "waits: " : "";
    return `!${waits}${oneLine((error as Error).message)}`;
  }
}

function oneLine(text: string): string {
  return text.split("\n")[0]!.trim();
}

/** The values of the line `values:`, in the format of vectors: `{"n": 1, "f": {"$float": "1.5"}}`. */
function scopeOf(settings: TableSettings): Scope {
  const values = JSON.parse(settings.get("values") ?? "{}") as Record<string, unknown>;
  return new Map(Object.entries(values).map(([name, value]) => [name, fromWire(value)]));
}

function modeOf(settings: TableSettings): Mode {
  const [kind, ...prefixes] = (settings.get("mode") ?? "all").split(" ");
  return kind === "strict" ? { kind, prefixes } : { kind: kind === "lenient" ? kind : "all" };
}

function expr({ question, settings }: Row): string {
  const value = evaluate(question, environment(scopeOf(settings)));
  let text: string;
  try {
    text = toJsonText(value);
  } catch {
    text = `(no JSON) ${toText(value)}`;
  }
  return `${typeName(value)} ${text}`;
}

function depends({ question, settings }: Row): string {
  const phases = JSON.parse(settings.get("phases") ?? "{}") as Record<string, string>;
  const tasks = [...Object.keys(phases).map((name) => ({ name })), { name: "this", depends: question }];
  const { logic, dependencies } = dependsLogic(tasks, "this");
  const nodes = new Map(dependencies.map((name) => {
    const [phase, ...words] = (phases[name] ?? "").split(" ");
    const type = words.some((word) => word.startsWith("of:")) ? "TaskGroup" : "Pod";
    return [name, { phase, type, daemoned: words.includes("daemoned"), words }];
  }));
  const children = ({ words }: { words: string[] }) => words.filter((w) => w.startsWith("of:")).map((w) => w.slice(3));
  return `${evaluateDepends(logic, nodes, children)} by ${logic}`;
}

function selector({ question, settings }: Row): string {
  const labels = JSON.parse(settings.get("labels") ?? "{}") as Record<string, string>;
  const requirements = parseRequirements(question);
  const all = requirements.every((requirement) => meetsRequirement(requirement, (key) => labels[key]));
  return `${all} ${printRequirements(requirements)}`.trim();
}

function cron({ question, settings }: Row): string {
  const from = settings.get("from")!;
  const schedule = parseSchedule(inTimezone(question, settings.get("timezone")), parseTime(RFC3339, from).zone);
  const times: string[] = [];
  for (let time: Date | undefined = new Date(from); time && times.length < 4;) {
    time = schedule.next(time);
    times.push(time ? time.toISOString().replace(".000Z", "Z") : "never");
  }
  return times.join(" ");
}

function quantity({ question }: Row): string {
  const [a, b] = question.split(" and ").map((text) => Quantity.parse(text));
  if (b !== undefined) {
    return `${a!.compare(b)}, sum ${a!.add(b)}, difference ${a!.subtract(b)}`;
  }
  return `${a}, ${a!.value()}, ${a!.milliValue()}m, ${formatFloat(a!.toNumber())}`;
}

function resultOfLoop({ question, settings }: Row): string {
  return expandLoop(JSON.parse(question), new Map(Object.entries(JSON.parse(settings.get("values") ?? "{}"))))
    .map(({ withItems: _items, withParam: _param, withSequence: _sequence, ...child }) => JSON.stringify(child)).join(
      " ",
    );
}

function loopStep(row: Row): string {
  const step = JSON.parse(row.question);
  const question = { name: "s", ...step };
  if (step.withItems) {
    const items = Item.parseList(JSON.stringify(step.withItems));
    const settings = new Map(Object.entries(JSON.parse(row.settings.get("values") ?? "{}") as Record<string, string>));
    return expandLoop({ ...question, withItems: items }, settings)
      .map(({ withItems: _items, ...child }) => JSON.stringify(child)).join(" ");
  }
  return resultOfLoop({ ...row, question: JSON.stringify(question) });
}

function formatErrors(errors: readonly string[] | undefined): string {
  return errors === undefined || errors.length === 0 ? "ok" : errors.join("; ");
}

const KINDS: Readonly<Record<string, Kind>> = {
  expr,
  condition: ({ question, settings }) => String(evaluateCondition(question, scopeOf(settings))),
  when: ({ question }) => String(evaluateWhen(question)),
  tags: ({ question, settings }) => JSON.stringify(replaceTags(question, scopeOf(settings), modeOf(settings))),
  depends,
  selector,
  cron,
  quantity,
  loop: loopStep,
  sequence: ({ question }) => expandSequence(JSON.parse(question)).map((item) => item.text).join(" "),
  item: ({ question }) => {
    const item = Item.parse(question);
    return `${item.kind} ${item.text}`;
  },
  jsonpath: ({ question, settings }) => {
    const values = new Map([["doc", settings.get("doc")!]]);
    return toJsonText(evaluate(`jsonpath(doc, ${JSON.stringify(question)})`, environment(values)));
  },
  resource: ({ question, settings }) => {
    const verdict = evaluateResourceConditions(settings.get("object")!, question, settings.get("failure") ?? "");
    return verdict.kind === "met" ? "met" : `${verdict.kind}: ${verdict.message}`;
  },
  duration: ({ question }) => {
    const duration = parseDuration(question);
    return `${formatDuration(duration)}, ${formatFloat(durationSeconds(duration))} s, ${humanizeDuration(duration)}`;
  },
  argoduration: ({ question }) => formatDuration(parseArgoDuration(question)),
  strftime: ({ question, settings }) => JSON.stringify(strftime(parseTime(RFC3339, settings.get("time")!), question)),
  json: ({ question }) => {
    const value = unmarshalJson(question);
    return [marshalJson(value), formatValue(value), anyString(JSON.parse(question))].map((text) => JSON.stringify(text))
      .join(" ");
  },
  nodename: ({ question, settings }) => {
    const boundary = settings.get("boundary");
    return `${taskName(question)} ${loopIndex(question)} ${displayNodeName(question, boundary)}`;
  },
  loopname: ({ question }) => {
    const [name, item] = JSON.parse(question) as [string, string];
    return expandLoop({ name, withItems: [Item.of(item)] }, new Map()).map((child) => child.name).join(" ");
  },
  podname: ({ question }) => {
    const [workflowName, nodeName, templateName, version] = JSON.parse(question) as [
      string,
      string,
      string,
      "v1" | "v2",
    ];
    return podName({ workflowName, nodeName, templateName, version });
  },
  label: ({ question }) => formatErrors(labelValueErrors(JSON.parse(question))),
  qualifiedname: ({ question }) => formatErrors(qualifiedNameErrors(JSON.parse(question))),
  subdomain: ({ question }) => formatErrors(subdomainErrors(JSON.parse(question))),
  fieldname: ({ question }) => {
    const name = JSON.parse(question) as string;
    return [parameterNameErrors(name), stepNameErrors(name), workflowFieldNameErrors(name)].map(formatErrors).join(
      " | ",
    ) +
      ` | display ${isDisplayName(name)}, memo key ${isMemoKey(name)}`;
  },
};
