import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { elapsed, isSkippedOrOmitted, nodePath } from "@tiphys/model/status";
import { statusText } from "./describe_workflow.ts";
import { escapeControls, escapeToOneLine } from "./plain.ts";
import { iconOf, type Look, phaseIcon } from "./look.ts";

/** Reports the changes of workflows since the last call, one line for each change. */
export class ChangeLines {
  readonly #look: Look;
  readonly #shows: (node: NodeStatus) => boolean;
  readonly #reported = new Map<string, string>();

  /** @param shows selects the nodes to report. */
  constructor(look: Look, shows: (node: NodeStatus) => boolean = () => true) {
    this.#look = look;
    this.#shows = shows;
  }

  /** Returns a line for each node with a new phase or message, in order of time, then one for the workflow. */
  linesOf(workflow: Workflow, now: Date): string[] {
    const { name = "", uid = "" } = workflow.metadata;
    const nodes: NodeStatus[] = Object.values(workflow.status?.nodes ?? {});
    nodes.sort(compareByTime);
    const isCall = ({ type }: NodeStatus) => type !== "StepGroup" && type !== "TaskGroup";
    const lines = nodes.filter((node) => isCall(node) && this.#shows(node)).map((node) => {
      const { phase = "Pending", message = "" } = node;
      const time = node.finishedAt && !isSkippedOrOmitted(phase) ? elapsed(node.startedAt, node.finishedAt, now) : "";
      const facts = [
        `${iconOf(node, this.#look)} ${escapeControls(nodePath(node.name, name))}`,
        phase,
        time,
        escapeToOneLine(message),
      ];
      return this.#ifChanged(`${uid}/${node.id}`, `${phase} ${message}`, facts.filter(Boolean).join("  "));
    });
    const { phase, message = "" } = workflow.status ?? {};
    const status = statusText(workflow);
    const whole = [`${phaseIcon(phase || "Pending", this.#look)} Workflow ${name}`, status, escapeToOneLine(message)];
    lines.push(this.#ifChanged(uid, `${status} ${message}`, whole.filter(Boolean).join("  ")));
    return lines.filter((line) => line !== undefined);
  }

  #ifChanged(key: string, fact: string, line: string): string | undefined {
    if (this.#reported.get(key) === fact) return undefined;
    this.#reported.set(key, fact);
    return line;
  }
}

/**
 * Compares nodes by the time of their last change. At the same time, a parent node starts before its children and ends
 * after them.
 */
function compareByTime(a: NodeStatus, b: NodeStatus): number {
  const last = ({ startedAt, finishedAt }: NodeStatus) => Date.parse(finishedAt ?? startedAt ?? "") || Infinity;
  if (last(a) !== last(b)) return last(a) - last(b);
  const ends = a.finishedAt && b.finishedAt;
  const byDepth = ends ? b.name.length - a.name.length : a.name.length - b.name.length;
  return byDepth || (a.name < b.name ? -1 : 1);
}
