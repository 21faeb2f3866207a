/**
 * `argoexec agent main` in a simulation: the agent's own code performs the tasks of a task set and reports them;
 * responses follow the case.
 */
import type { NodeResult, Pod, Workflow } from "@tiphys/model/api";
import { type Clock, pause } from "@tiphys/base/clock";
import { AGENT_COMPONENT, ENV, LABEL } from "@tiphys/base/constants";
import { fieldsOf } from "@tiphys/base/fields_of";
import { isOwnedBy, type KubeClient, type KubeObject, WORKFLOW_TASK_SETS, WORKFLOWS } from "@tiphys/kube";
import { Reporter } from "../../executor/agent/reporter.ts";
import { Tasks } from "../../executor/agent/tasks.ts";
import { envOf } from "../../simulate/pod_end.ts";
import type { PodPlay } from "./pod_play.ts";

/** Whether a pod is the agent of a workflow. */
export function isAgent({ metadata }: Pod): boolean {
  return metadata.labels?.[LABEL.component] === AGENT_COMPONENT;
}

/** The dependencies of a simulated agent. */
export interface AgentOptions {
  readonly clock: Clock;
  readonly client: KubeClient;
  readonly pod: Pod;
  /** The behavior of a node's request: its exit code decides whether the response is a success. */
  readonly play: (nodeName: string) => PodPlay;
  /** Seconds that a request of this node takes unless its play has a duration. */
  readonly usualSeconds: (nodeName: string) => number;
  /** Called when the task set is completed and the agent ends. */
  readonly onOver: () => void;
}

/** A running agent. A workflow may have several, one after the other. */
export class SimulatedAgent {
  readonly #options: AgentOptions;
  readonly #tasks: Tasks;
  #isOver = false;

  constructor(options: AgentOptions) {
    this.#options = options;
    const { clock } = options;
    const reporter = new Reporter({ clock, gatherMillis: 250, log: () => {}, write: (nodes) => this.#write(nodes) });
    this.#tasks = new Tasks({
      clock,
      workers: 16,
      http: ({ name }, stop) => this.#answer(name!, stop),
      plugin: async ({ name }, stop) => ({ result: await this.#answer(name!, stop) }),
      writeResult: (nodeId, result) => this.#isOver ? Promise.resolve(false) : reporter.queue(nodeId, result),
      redact: (text) => text,
    });
  }

  /** Processes a state of the task set; undefined when it is deleted. */
  see(set: KubeObject | undefined): void {
    if (this.#isOver) return;
    if (set && !this.#isOurs(set)) return;
    if (!set || set.metadata.labels?.[LABEL.completed] === "true") {
      this.stop();
      return this.#options.onOver();
    }
    const nodes = Object.entries(fieldsOf(fieldsOf(set.status).nodes));
    const tasks = Object.entries(fieldsOf(fieldsOf(set.spec).tasks));
    this.#tasks.updateTasks({
      // The response finds its node by the name of the task.
      tasks: Object.fromEntries(tasks.map(([id, task]) => [id, { ...fieldsOf(task), name: id }])),
      phases: new Map(nodes.map(([id, node]) => [id, String(fieldsOf(node).phase)])),
    });
  }

  /** Ends the agent, which reports nothing more. */
  stop(): void {
    this.#isOver = true;
    void this.#tasks.close(0);
  }

  #isOurs(set: KubeObject): boolean {
    const uid = envOf(this.#options.pod, ENV.workflowUid) ?? "";
    return isOwnedBy(set, "Workflow", { metadata: { uid } });
  }

  async #answer(nodeId: string, stop: AbortSignal): Promise<NodeResult> {
    const { client, clock, pod, play, usualSeconds } = this.#options;
    const workflow = await client.get<Workflow>(WORKFLOWS, pod.metadata.namespace, this.#workflowName);
    const name = workflow.status?.nodes?.[nodeId]?.name ?? "";
    const { seconds = usualSeconds(name), exitCode = 0, message, result = `result of ${name}` } = play(name);
    await pause(clock, seconds * 1000, stop);
    const outputs = { result };
    if (exitCode === 0) return { phase: "Succeeded", outputs };
    return { phase: "Failed", message: message ?? "received non-2xx response code: 500", outputs };
  }

  async #write(nodes: Readonly<Record<string, NodeResult>>): Promise<void> {
    if (this.#isOver) return;
    const { client, pod: { metadata: { namespace } } } = this.#options;
    await client.patch(WORKFLOW_TASK_SETS, namespace, this.#workflowName, { status: { nodes } }, "merge", {
      subresource: "status",
    });
  }

  get #workflowName(): string {
    return envOf(this.#options.pod, ENV.workflowName) ?? "";
  }
}
