/** Formats workflows as a JUnit report: a suite for each workflow, a case for the last attempt of each step. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isFailure, isSkippedOrOmitted, nodePath, nodeTypesOf } from "@tiphys/model/status";

/** Types of nodes that become cases; nodes of other types only contain nodes. */
const CASES = nodeTypesOf("pod", "agent", "controller", "skipped");

/** Returns the report as XML. */
export function junitReport(workflows: readonly Workflow[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${workflows.map(suite).join("")}</testsuites>\n`;
}

function suite({ metadata: { name = "" }, status }: Workflow): string {
  const all: NodeStatus[] = Object.values(status?.nodes ?? {});
  const retried = new Set(all.flatMap(({ type, children = [] }) => type === "Retry" ? children.slice(0, -1) : []));
  const nodes = all.filter(({ id, type }) => CASES.has(type ?? "") && !retried.has(id));
  const cases = nodes.map((node) => testCase(node, name));
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
  return `  ${element("testsuite", { name, ...counts }, `\n${cases.map((one) => `    ${one}\n`).join("")}  `)}\n`;
}

function testCase(node: NodeStatus, workflowName: string): string {
  const { phase, message, templateName } = node;
  const facts = {
    name: nodePath(node.name, workflowName),
    classname: templateName ?? workflowName,
    time: seconds(node),
  };
  const outcome = isFailure(phase) ? failure(phase, message) : isSkippedOrOmitted(phase) ? element("skipped", {}) : "";
  return element("testcase", facts, outcome);
}

function failure(phase = "Pending", message = ""): string {
  return element(phase === "Error" ? "error" : "failure", { message: message || phase, type: phase });
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
