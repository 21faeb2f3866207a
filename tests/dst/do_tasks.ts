/** The work of `argoexec agent main` in a simulation: the tasks of a task set are done and told by the agent's own code, and answered as the case plays. */
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

/** The world of a simulated agent. */
export interface AgentOptions {
  readonly clock: Clock;
  readonly client: KubeClient;
  readonly pod: Pod;
  /** The course of a request of this node: its exit code says whether it is answered well. */
  readonly play: (nodeName: string) => PodPlay;
  /** The seconds that a request of this node takes where its play does not say it. */
  readonly usualSeconds: (nodeName: string) => number;
  /** The task set is over: the agent ends. */
  readonly onOver: () => void;
}

/** An agent that runs; several may do so for one workflow, one after the other. */
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
      tell: (nodeId, result) => this.#isOver ? Promise.resolve(false) : reporter.tell(nodeId, result),
      redact: (text) => text,
    });
  }

  /** Takes a state of the task set; undefined: it is gone. */
  see(set: KubeObject | undefined): void {
    if (this.#isOver) return;
    if (set && !this.#isOurs(set)) return;
    if (!set || set.metadata.labels?.[LABEL.completed] === "true") {
      this.stop();
      return this.#options.onOver();
    }
    const nodes = Object.entries(fieldsOf(fieldsOf(set.status).nodes));
    const tasks = Object.entries(fieldsOf(fieldsOf(set.spec).tasks));
    this.#tasks.see({
      // By its name the answer finds its node.
      tasks: Object.fromEntries(tasks.map(([id, task]) => [id, { ...fieldsOf(task), name: id }])),
      phases: new Map(nodes.map(([id, node]) => [id, String(fieldsOf(node).phase)])),
    });
  }

  /** The agent is no more, and tells nothing. */
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
