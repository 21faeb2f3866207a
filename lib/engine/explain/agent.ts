/** Nodes that the agent runs: the HTTP and plugin tasks of a workflow, which share a dedicated pod. */
import type { NodeStatus, Pod } from "@tiphys/model/api";
import { hasRole, type NodeTypeOf } from "@tiphys/model/status";
import type { Evidence } from "./evidence.ts";
import { type Obstacle, obstacleOf } from "./pods.ts";
import type { ExplainInput, NodeCheck } from "./explain_input.ts";
import { reason, type ReasonCode } from "./reason.ts";

const CODES: Readonly<Record<NodeTypeOf<"agent">, ReasonCode>> = { HTTP: "Http", Plugin: "Plugin" };

/** An HTTP or plugin node that waits for the agent. */
export const checkAgent: NodeCheck = (input, node) => {
  if (!hasRole(node, "agent")) return undefined;
  const { workflow, evidence } = input;
  const pod = evidence.agent?.pod;
  return [reason(CODES[node.type], {
    node: node.name,
    since: node.startedAt,
    text: textOf(input, node, pod),
    blocks: [
      { kind: "WorkflowTaskSet", name: workflow.metadata.name ?? "" },
      ...(pod ? [{ kind: "Pod", name: pod.metadata.name ?? "" }] : []),
    ],
    unblock: obstacleOfAgent(evidence)?.unblock ?? "wait for the agent's request; its log has details",
  })];
};

function textOf({ evidence }: ExplainInput, node: NodeStatus, pod: Pod | undefined): string {
  if (!pod) {
    const isKnown = evidence.agent !== undefined;
    return node.message ||
      (isKnown ? "its agent pod is being requested" : "the workflow's agent processes it, or is being created");
  }
  const name = `agent pod ${pod.metadata.name}`;
  const { phase } = pod.status ?? {};
  if (phase === "Running") return `${name}: in progress${node.message ? `: ${node.message}` : ""}`;
  if (phase === "Failed" || phase === "Succeeded") return `${name}: has ended, and is being replaced`;
  return `${name}: ${obstacleOfAgent(evidence)?.text ?? "starting"}`;
}

/** The cause that keeps the agent's pod from running; undefined if it runs or is starting normally. */
function obstacleOfAgent(evidence: Evidence): Obstacle | undefined {
  const pod = evidence.agent?.pod;
  return pod && (pod.status?.phase ?? "Pending") === "Pending" ? obstacleOf(pod, evidence) : undefined;
}
