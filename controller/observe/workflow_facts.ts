/**
 * What is seen of one workflow's nodes, by their ID: kept as the local copies change, so that a pass over a large
 * workflow does not begin with all its pods. A view of those copies that owns nothing: `Ledger` makes it from them and
 * tells it of each of their changes.
 */
import type { Pod, Workflow, WorkflowTaskResult } from "../../lib/api/mod.ts";
import { ANNOTATION, LABEL } from "../../lib/constants.ts";
import { nodeID } from "../../lib/template/mod.ts";
import { ChangeLog, LoggedMap } from "../engine/mod.ts";

/** The facts about the nodes of a workflow, and a log of what changed in them. */
export class WorkflowFacts {
  readonly changes = new ChangeLog();
  readonly #name: string;
  readonly #uid: string | undefined;
  readonly #pods = new LoggedMap<Pod>(this.changes);
  readonly #taskResults = new LoggedMap<WorkflowTaskResult>(this.changes);

  constructor({ metadata }: Workflow) {
    this.#name = metadata.name!;
    this.#uid = metadata.uid;
  }

  get pods(): ReadonlyMap<string, Pod> {
    return this.#pods;
  }

  get taskResults(): ReadonlyMap<string, WorkflowTaskResult> {
    return this.#taskResults;
  }

  /** A pod is there, or as it is now. */
  showPod(pod: Pod): void {
    if (this.#isOfNode(pod)) this.#pods.set(this.#nodeOf(pod), pod);
    else this.hidePod(pod);
  }

  /** A pod is gone; another one of the same node stays. */
  hidePod(pod: Pod): void {
    const id = this.#nodeOf(pod);
    if (this.#pods.get(id)?.metadata.name === pod.metadata.name) this.#pods.delete(id);
  }

  /** A report is there, or as it is now. */
  showTaskResult(result: WorkflowTaskResult): void {
    if (this.#isOwned(result)) this.#taskResults.set(result.metadata.name!, result);
  }

  /** A report is gone. */
  hideTaskResult(result: WorkflowTaskResult): void {
    this.#taskResults.delete(result.metadata.name!);
  }

  /** Pods that serve a workflow otherwise than by running a node name themselves a component of it. */
  #isOfNode(pod: Pod): boolean {
    return pod.metadata.labels?.[LABEL.component] === undefined && this.#isOwned(pod);
  }

  #nodeOf({ metadata: { annotations } }: Pod): string {
    return annotations?.[ANNOTATION.nodeId] ?? nodeID(this.#name, annotations?.[ANNOTATION.nodeName] ?? "");
  }

  /** Names come back: an object of an earlier workflow of this name is not ours. */
  #isOwned({ metadata }: Pod | WorkflowTaskResult): boolean {
    const owner = metadata.ownerReferences?.find(({ kind }) => kind === "Workflow");
    return owner === undefined || owner.uid === this.#uid;
  }
}
