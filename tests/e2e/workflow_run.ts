import type { NodeStatus, Pod, Workflow } from "../../lib/api/mod.ts";
import { LABEL } from "../../lib/constants.ts";
import { awaitFact } from "../await_fact.ts";
import type { Kubectl } from "../install/mod.ts";

const WORKFLOWS = new URL("workflows/", import.meta.url);
const FINAL = new Set(["Succeeded", "Failed", "Error"]);

/** One workflow on the cluster under test, and what may be asked about it. */
export class WorkflowRun {
  readonly #kubectl: Kubectl;
  readonly #namespace: string;
  readonly name: string;
  readonly #createdAt = performance.now();

  private constructor(kubectl: Kubectl, namespace: string, name: string) {
    this.#kubectl = kubectl;
    this.#namespace = namespace;
    this.name = name;
  }

  /** Creates the workflow of a file in `workflows/`. */
  static async create(kubectl: Kubectl, namespace: string, file: string): Promise<WorkflowRun> {
    const text = await Deno.readTextFile(new URL(file, WORKFLOWS));
    const { metadata } = await kubectl.create<Workflow>(namespace, text);
    return new WorkflowRun(kubectl, namespace, metadata.name!);
  }

  /** The workflow as the server has it now. */
  read(): Promise<Workflow> {
    return this.#kubectl.json<Workflow>("-n", this.#namespace, "get", "workflow", this.name);
  }

  /** Waits until the workflow is over; throws with what is known of it when that takes too long. */
  async finished(seconds = 60): Promise<Workflow> {
    await this.await("is over", (workflow) => FINAL.has(workflow.status?.phase ?? ""), seconds);
    return await this.read();
  }

  /** Waits until something holds of the workflow. */
  async await(fact: string, holds: (workflow: Workflow) => boolean, seconds = 60): Promise<void> {
    try {
      await awaitFact(`workflow ${this.name} ${fact}`, async () => holds(await this.read()), { seconds });
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : error}\n${await this.#picture()}`);
    }
  }

  /** Seconds since the workflow was created. */
  seconds(): number {
    return (performance.now() - this.#createdAt) / 1000;
  }

  /** The pods of the workflow. */
  async pods(): Promise<Pod[]> {
    const selector = `${LABEL.workflow}=${this.name}`;
    return (await this.#kubectl.json<{ items: Pod[] }>("-n", this.#namespace, "get", "pods", "-l", selector)).items;
  }

  /** What a pod's container wrote. */
  logs(pod: Pod, container = "main"): Promise<string> {
    return this.#kubectl.output("-n", this.#namespace, "logs", pod.metadata.name!, "-c", container);
  }

  /** Changes the workflow's spec. */
  async patchSpec(spec: object): Promise<void> {
    const patch = JSON.stringify({ spec });
    await this.#kubectl.output("-n", this.#namespace, "patch", "workflow", this.name, "--type=merge", "-p", patch);
  }

  async #picture(): Promise<string> {
    const { status } = await this.read();
    const pods = await this.#kubectl.try(
      "-n",
      this.#namespace,
      "get",
      "pods",
      "-l",
      `${LABEL.workflow}=${this.name}`,
      "-o",
      "wide",
    );
    const nodes = Object.values(status?.nodes ?? {}).map((node) =>
      `  ${node.displayName} ${node.phase} ${node.message ?? ""}`
    );
    return [`phase ${status?.phase}, message ${status?.message}`, ...nodes, pods.stdout].join("\n");
  }
}

/** The node of a workflow with a display name; throws when there is none. */
export function nodeNamed(workflow: Workflow, displayName: string): NodeStatus {
  const node = Object.values(workflow.status?.nodes ?? {}).find((one) => one.displayName === displayName);
  if (!node) throw new Error(`Workflow ${workflow.metadata.name} has no node ${displayName}`);
  return node;
}
