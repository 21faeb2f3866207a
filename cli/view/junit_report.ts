/** Formats workflows as a JUnit report: a suite for each workflow, a case for the last attempt of each step. */
import { stripVTControlCharacters } from "node:util";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isFailure, isSkippedOrOmitted, nodePath, nodeTypesOf } from "@tiphys/model/status";

/** Types of nodes that become cases; nodes of other types only contain nodes. */
const CASES = nodeTypesOf("pod", "agent", "controller", "skipped");

/** Returns the last log lines of a node that failed. */
export type LogOfNode = (workflow: Workflow, node: NodeStatus) => Promise<readonly string[]>;

/** Maximum number of failed cases with log lines, because each is read with a request. */
const MAX_LOGS = 100;

/** Returns the report as XML. Cases that failed contain the last lines of their logs. */
export async function junitReport(workflows: readonly Workflow[], logOf: LogOfNode): Promise<string> {
  const suites: string[] = [];
  for (const workflow of workflows) suites.push(await suite(workflow, logOf));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

async function suite(workflow: Workflow, logOf: LogOfNode): Promise<string> {
  const { metadata: { name = "" }, status } = workflow;
  const all: NodeStatus[] = Object.values(status?.nodes ?? {});
  const retried = new Set(all.flatMap(({ type, children = [] }) => type === "Retry" ? children.slice(0, -1) : []));
  const nodes = all.filter(({ id, type }) => CASES.has(type ?? "") && !retried.has(id));
  const logs = new Map<string, readonly string[]>();
  for (const node of nodes.filter(({ phase }) => isFailure(phase)).slice(0, MAX_LOGS)) {
    logs.set(node.id, await logOf(workflow, node));
  }
  const cases = nodes.map((node) => testCase(node, name, logs.get(node.id)));
  // A workflow can fail without a failed step, such as by its deadline.
  const ended = status?.phase !== "Succeeded" && !nodes.some(({ phase }) => isFailure(phase));
  if (ended) cases.push(element("testcase", { name, classname: name }, failure(status?.phase, status?.message)));
  const counts = {
    tests: cases.length,
    failures: nodes.filter(({ phase }) => phase === "Failed").length + (ended ? 1 : 0),
    errors: nodes.filter(({ phase }) => phase === "Error").length,
    skipped: nodes.filter(({ phase }) => isSkippedOrOmitted(phase)).length,
    time: seconds(status ?? {}),
  };
  return `  ${
    element("testsuite", { name, ...counts }, `\n${cases.map((element) => `    ${element}\n`).join("")}  `)
  }\n`;
}

function testCase(node: NodeStatus, workflowName: string, log?: readonly string[]): string {
  const { phase, message, templateName } = node;
  const facts = {
    name: nodePath(node.name, workflowName),
    classname: templateName ?? workflowName,
    time: seconds(node),
  };
  const outcome = isFailure(phase)
    ? failure(phase, message, log)
    : isSkippedOrOmitted(phase)
    ? element("skipped", {})
    : "";
  return element("testcase", facts, outcome);
}

function failure(phase = "Pending", message = "", log: readonly string[] = []): string {
  const text = log.map((line) => escapeXml(`${stripVTControlCharacters(line)}\n`).replaceAll("&#10;", "\n")).join("");
  return element(phase === "Error" ? "error" : "failure", { message: message || phase, type: phase }, text);
}

function seconds({ startedAt, finishedAt }: { startedAt?: string | null; finishedAt?: string | null }): string {
  const millis = startedAt && finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : 0;
  return (Math.max(0, millis) / 1000).toFixed(3);
}

function element(name: string, attributes: Readonly<Record<string, string | number>>, content = ""): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`).join("");
  return content === "" ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`;
}

/** Escapes a text, and replaces characters that XML 1.0 cannot contain. */
function escapeXml(text: string): string {
  // deno-lint-ignore no-control-regex -- these are the characters that XML excludes
  return text.toWellFormed().replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("\n", "&#10;");
}
