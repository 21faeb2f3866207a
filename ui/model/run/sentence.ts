/** The sentence at the head of a run: its state, or why it failed. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { firstFailure, isActiveSuspend, isFailure, storedTemplateOf } from "@tiphys/model/status";
import { nodeListOf } from "../../api/run_nodes.ts";
import { durationText } from "../duration.ts";
import type { PhaseFamily } from "../phase.ts";
import { lastAttemptAt, WORKERS } from "./answer.ts";
import { causeOf, firstLine } from "./cause.ts";
import * as words from "../text/en/run_page.ts";

/** The sentence, its phase family, and the node that it is about. */
export interface RunSentence {
  readonly family: PhaseFamily;
  readonly text: string;
  readonly nodeId?: string;
  /** The node whose log shows why the run failed. */
  readonly logOf?: string;
}

/** Creates the sentence of a run. */
export function sentenceOf(workflow: Workflow): RunSentence {
  const { spec, status = {} } = workflow;
  if (isFailure(status.phase)) return failureSentence(workflow);
  if (status.phase === "Succeeded") return successSentence(workflow);
  if (spec.shutdown) {
    return { family: "waits", text: spec.shutdown === "Stop" ? words.stopping : words.terminating };
  }
  const nodes = nodeListOf(workflow);
  const suspended = nodes.find(isActiveSuspend);
  if (spec.suspend) return { family: "waits", text: words.held };
  if (suspended) return waitingSentence(suspended);
  const pending = nodes.filter(({ phase, type }) => phase === "Pending" && WORKERS.has(type));
  const running = nodes.filter(({ phase, type }) => phase === "Running" && WORKERS.has(type));
  const held = pending.find(({ message }) => message);
  if (running.length) {
    return { family: "works", text: words.running(...firstNames(running), pending.length), nodeId: running[0]!.id };
  }
  if (held) return { family: "waits", text: words.waitsFor(nameOf(held), firstLine(held.message)), nodeId: held.id };
  if (pending.length) {
    return { family: "waits", text: words.aboutToStart(...firstNames(pending)), nodeId: pending[0]!.id };
  }
  return {
    family: "waits",
    text: status.message || (nodes.length ? words.betweenSteps : words.notStarted),
  };
}

function failureSentence(workflow: Workflow): RunSentence {
  const { phase, message } = workflow.status ?? {};
  const family = phase === "Error" ? "error" : "failed";
  const first = firstFailure(workflow);
  const nodes = new Map(Object.entries(workflow.status?.nodes ?? {}));
  const { node, retry } = first ? lastAttemptAt(first, nodes) : {};
  if (!node || node.name === workflow.metadata.name && !WORKERS.has(node.type)) {
    return { family, text: message || String(phase) };
  }
  const template = storedTemplateOf(workflow, node);
  const found = { family, nodeId: node.id, ...(node.type === "Pod" ? { logOf: node.id } : {}) } as const;
  // The only node of a run represents the run.
  if (node.name === workflow.metadata.name) {
    return { ...found, text: causeOf({ ...node, message: message || node.message }, template).text || String(phase) };
  }
  const failed = countFailed(nodes);
  const say = failed > 1 ? words.failedFirst : words.failedAlone;
  return { ...found, text: say(nameOf(retry ?? node), causeOf(node, template).text) };
}

/** Counts the steps that failed; the attempts at a step count once. */
function countFailed(nodes: ReadonlyMap<string, NodeStatus>): number {
  const retries = new Map<string, NodeStatus>();
  for (const node of nodes.values()) {
    if (node.type === "Retry") { for (const id of node.children ?? []) retries.set(id, node); }
  }
  const steps = new Set<string>();
  for (const node of nodes.values()) {
    const step = node.nodeFlag?.retried ? retries.get(node.id) ?? node : node;
    if (WORKERS.has(node.type) && isFailure(node.phase) && isFailure(step.phase)) steps.add(step.id);
  }
  return steps.size;
}

function successSentence({ status }: Workflow): RunSentence {
  const took = Date.parse(status?.finishedAt ?? "") - Date.parse(status?.startedAt ?? "");
  const text = Number.isNaN(took) ? words.succeeded : words.succeededIn(durationText(took));
  return { family: "done", text: status?.message || text };
}

function waitingSentence(node: NodeStatus): RunSentence {
  const open = (node.outputs?.parameters ?? []).filter(({ valueFrom }) => valueFrom?.supplied);
  const text = words.waitsForYou(nameOf(node), open.map(({ name }) => name));
  return { family: "waits", text, nodeId: node.id };
}

const NAMED = 3;

/** Returns the first names, and the number of the others. */
function firstNames(nodes: readonly NodeStatus[]): [names: string[], more: number] {
  return [nodes.slice(0, NAMED).map(nameOf), Math.max(0, nodes.length - NAMED)];
}

function nameOf({ displayName, name }: NodeStatus): string {
  return displayName ?? name;
}
