/**
 * The pods and reports of one workflow by the ID of their node, updated with each change of the local copies, so that
 * a pass over a large workflow does not begin with all its pods. It is a view of those copies that owns nothing:
 * `Ledger` creates it from them and notifies it of each change.
 */
import type { Pod, ReadResult, WorkflowTaskResult } from "@tiphys/model/api";
import { AGENT_COMPONENT, ANNOTATION, LABEL } from "@tiphys/base/constants";
import { isOwnedBy, type KubeObject } from "@tiphys/kube";
import { nodeID } from "@tiphys/model/status";
import { ChangeLog, LoggedMap } from "@tiphys/engine";

/** The workflow of the facts. */
export type Owner = { readonly metadata: { readonly name?: string; readonly uid?: string } };

/** The facts about the nodes of a workflow, and a log of what changed in them. */
export class WorkflowFacts {
  readonly changes = new ChangeLog();
  readonly #name: string;
  readonly #workflow: Owner;
  readonly #pods = new LoggedMap<Pod>(this.changes);
  #agent: Pod | undefined;
  readonly #taskResults = new LoggedMap<ReadResult<WorkflowTaskResult>>(this.changes);

  constructor(workflow: Owner) {
    this.#name = workflow.metadata.name!;
    this.#workflow = { metadata: { uid: workflow.metadata.uid } };
  }

  get uid(): string | undefined {
    return this.#workflow.metadata.uid;
  }

  get pods(): ReadonlyMap<string, Pod> {
    return this.#pods;
  }

  get taskResults(): ReadonlyMap<string, ReadResult<WorkflowTaskResult>> {
    return this.#taskResults;
  }

  /** The pod that runs the workflow's http and plugin tasks. */
  get agent(): Pod | undefined {
    return this.#agent;
  }

  /** Records a pod that was added or changed. */
  showPod(pod: Pod): void {
    if (this.#isAgent(pod)) this.#agent = pod;
    else if (this.#isOfNode(pod)) this.#pods.set(this.#nodeOf(pod), pod);
    else this.removePod(pod);
  }

  /** Removes a pod that is gone; another one of the same node stays. */
  removePod(pod: Pod): void {
    if (this.#agent?.metadata.name === pod.metadata.name) this.#agent = undefined;
    const id = this.#nodeOf(pod);
    if (this.#pods.get(id)?.metadata.name === pod.metadata.name) this.#pods.delete(id);
  }

  /** Records a report that was added or changed; `read` is the parsed report. */
  showTaskResult(result: KubeObject, read: ReadResult<WorkflowTaskResult>): void {
    if (this.#mayBelong(result)) this.#taskResults.set(result.metadata.name!, read);
  }

  /** Removes a report that is gone. */
  hideTaskResult(result: KubeObject): void {
    this.#taskResults.delete(result.metadata.name!);
  }

  #isAgent(pod: Pod): boolean {
    return pod.metadata.labels?.[LABEL.component] === AGENT_COMPONENT && isOwnedBy(pod, "Workflow", this.#workflow);
  }

  /** Pods of a workflow that do not run a node have a label that names the component. */
  #isOfNode(pod: Pod): boolean {
    return pod.metadata.labels?.[LABEL.component] === undefined && isOwnedBy(pod, "Workflow", this.#workflow);
  }

  #nodeOf({ metadata: { annotations } }: Pod): string {
    return annotations?.[ANNOTATION.nodeId] ?? nodeID(this.#name, annotations?.[ANNOTATION.nodeName] ?? "");
  }

  /**
   * Whether a report belongs to this workflow, not to an earlier one of the same name. Executors write the owner of a
   * report; without it, `engine/pods/task_results.ts` trusts only what the pod itself confirms.
   */
  #mayBelong(result: KubeObject): boolean {
    const isAnybodys = !result.metadata.ownerReferences?.some(({ kind }) => kind === "Workflow");
    return isAnybodys || isOwnedBy(result, "Workflow", this.#workflow);
  }
}
