import type { NodeStatus, Pod, Workflow } from "@tiphys/model/api";
import { ANNOTATION, API_VERSION, LABEL } from "@tiphys/base/constants";
import { PODS, WORKFLOWS } from "@tiphys/kube";
import { parseYaml } from "@tiphys/model/yaml";
import { awaitFact } from "../await_fact.ts";
import type { RequestedLayout, Stage } from "./case.ts";

const FOLDER = new URL("workflows/", import.meta.url);
const FINAL = new Set(["Succeeded", "Failed", "Error"]);

/** A workflow to run: the name of a file in `workflows/`, or its spec. */
export type Source = string | Workflow["spec"];

/** The options of a workflow's run. */
export interface RunOptions {
  /** The layout of its pods; the controller's own by default. */
  readonly layout?: RequestedLayout;
  /** Another namespace than the stage's. */
  readonly namespace?: string;
}

/** One workflow on the cluster under test, and queries about it. */
export class WorkflowRun {
  readonly #stage: Stage;
  readonly #namespace: string;
  readonly name: string;
  readonly #createdAt = performance.now();

  private constructor(stage: Stage, namespace: string, name: string) {
    this.#stage = stage;
    this.#namespace = namespace;
    this.name = name;
  }

  /** Creates a workflow. */
  static async create(stage: Stage, source: Source, options: RunOptions = {}): Promise<WorkflowRun> {
    const { layout, namespace = stage.namespace } = options;
    const workflow = typeof source === "string" ? await readWorkflow(source) : workflowOf(source);
    if (layout) workflow.metadata.annotations = { [ANNOTATION.podLayout]: layout };
    const { metadata } = await stage.client.create<Workflow>(WORKFLOWS, namespace, workflow);
    return new WorkflowRun(stage, namespace, metadata.name!);
  }

  /** The current workflow on the server. */
  read(): Promise<Workflow> {
    return this.#stage.client.get<Workflow>(WORKFLOWS, this.#namespace, this.name);
  }

  /** Waits until the workflow has finished. @throws {Error} with its status and pods when that takes too long */
  async awaitFinish(seconds = 120): Promise<Workflow> {
    await this.await("has finished", (workflow) => FINAL.has(workflow.status?.phase ?? ""), seconds);
    return await this.read();
  }

  /** Waits for success. */
  async awaitSuccess(seconds = 120): Promise<Workflow> {
    const workflow = await this.awaitFinish(seconds);
    if (workflow.status?.phase !== "Succeeded") throw new Error(await this.#describe());
    return workflow;
  }

  /** Waits until a condition of the workflow holds. */
  async await(fact: string, holds: (workflow: Workflow) => boolean | Promise<boolean>, seconds = 120): Promise<void> {
    try {
      await awaitFact(`workflow ${this.name} ${fact}`, async () => await holds(await this.read()), { seconds });
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : error}\n${await this.#describe()}`);
    }
  }

  /** Waits until the workflow's only pod meets a condition, and returns the pod. */
  async awaitPod(fact: string, holds: (pod: Pod) => boolean = () => true, seconds = 120): Promise<Pod> {
    let found: Pod | undefined;
    await this.await(fact, async () => {
      [found] = await this.pods();
      return found !== undefined && holds(found);
    }, seconds);
    return found!;
  }

  /** Waits until the user's command has printed something, and returns its pod: before that, it may not run yet. */
  async awaitRunningPod(): Promise<Pod> {
    const pod = await this.awaitPod("runs its pod", ({ status }) => status?.phase === "Running");
    await this.await("has said something", async () => await this.logs(pod) !== "");
    return pod;
  }

  /** Seconds since the workflow was created. */
  seconds(): number {
    return (performance.now() - this.#createdAt) / 1000;
  }

  /** The only pod of the workflow. @throws {Error} unless there is exactly one. */
  async onlyPod(): Promise<Pod> {
    const [pod, ...others] = await this.pods();
    if (pod === undefined || others.length > 0) {
      throw new Error(`The workflow has ${others.length + (pod ? 1 : 0)} pods`);
    }
    return pod;
  }

  async pods(): Promise<Pod[]> {
    const labelSelector = `${LABEL.workflow}=${this.name}`;
    return (await this.#stage.client.list<Pod>(PODS, this.#namespace, { labelSelector })).items;
  }

  /** The log of a pod's container. */
  logs(pod: Pod, container = "main"): Promise<string> {
    return new Response(this.#stage.client.logs(this.#namespace, pod.metadata.name!, { container })).text();
  }

  /** Changes the workflow's spec. */
  async patchSpec(spec: object): Promise<void> {
    await this.#stage.client.patch(WORKFLOWS, this.#namespace, this.name, { spec });
  }

  /** Deletes the workflow as a user. */
  async delete(): Promise<void> {
    await this.#stage.client.delete(WORKFLOWS, this.#namespace, this.name, { propagationPolicy: "Background" });
  }

  async #describe(): Promise<string> {
    const { status } = await this.read();
    const nodes = Object.values(status?.nodes ?? {}).map((node) =>
      `  node ${node.displayName} ${node.phase} ${node.message ?? ""}`
    );
    const pods = (await this.pods()).map(({ metadata, status }) =>
      `  pod ${metadata.name} ${JSON.stringify({ ...status, conditions: undefined, hostIPs: undefined })}`
    );
    return [`phase ${status?.phase}, message ${status?.message}`, ...nodes, ...pods].join("\n");
  }
}

async function readWorkflow(file: string): Promise<Workflow> {
  const [document] = parseYaml(await Deno.readTextFile(new URL(file, FOLDER)));
  return document?.value as unknown as Workflow;
}

function workflowOf(spec: Workflow["spec"]): Workflow {
  return {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { generateName: "e2e-" },
    spec: { entrypoint: "main", ...spec },
  };
}

/** The node of a workflow with a display name. @throws {Error} when it does not exist */
export function nodeNamed(workflow: Workflow, displayName: string): NodeStatus {
  const node = Object.values(workflow.status?.nodes ?? {}).find((candidate) => candidate.displayName === displayName);
  if (!node) throw new Error(`Workflow ${workflow.metadata.name} has no node ${displayName}`);
  return node;
}

/** The only node of a workflow. */
export function onlyNode(workflow: Workflow): NodeStatus {
  return nodeNamed(workflow, workflow.metadata.name!);
}
