/** Follows workflows until they finish: shows and logs them, and stops them at Ctrl-C. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import {
  hasFinished,
  isActiveSuspend,
  isFinalResult,
  nodeOfPod,
  podNameOf,
  templateNameOf,
} from "@tiphys/model/status";
import type { WorkflowService } from "@tiphys/service";
import { liveView } from "../view/live_view.ts";
import type { Look } from "../view/look.ts";
import { type GroupForm, StepOutput } from "../view/step_output.ts";
import type { Interrupt, World } from "../world.ts";

/** Prints lines and asks questions. While a tree is shown, they appear above it. */
export interface UserDialog {
  print: (line: string) => void;
  ask: (question: string) => boolean;
}

/** Returns a dialog for the time before a tree is shown. */
export function dialogOf(world: World): UserDialog {
  return { print: (line) => world.err(`${line}\n`), ask: (question) => world.confirm(question) };
}

/** After a SIGTERM, time to wait for workflows to stop before they are terminated, then for that to finish. */
const STOPPED_WITHIN_MS = 30_000;
const TERMINATED_WITHIN_MS = 10_000;

/** Options of following workflows. */
export interface FollowOptions {
  readonly world: World;
  /** Redirected to the view while the tree is shown. */
  readonly dialog: UserDialog;
  readonly service: WorkflowService;
  readonly look: Look;
  /** Whether the tree is shown. */
  readonly showsTree: boolean;
  /** The form in which the output of steps is printed; undefined to not print it. */
  readonly output: GroupForm | undefined;
  /** Flags that make another command use this cluster. */
  readonly clusterFlags: string;
}

/** The result of following workflows. */
export interface FollowResult {
  readonly workflows: readonly Workflow[];
  /** The first signal that was received; undefined without a signal. Ctrl-C is SIGINT. */
  readonly interrupted: Interrupt | undefined;
  /**
   * The nodes that waited at the first signal, by the UIDs of their workflows: stopping a node replaces its message.
   */
  readonly waiting: ReadonlyMap<string, readonly NodeStatus[]>;
}

/**
 * Follows workflows until all have finished. The first Ctrl-C stops them, the second terminates them, and the third
 * returns without waiting. After a SIGTERM, these three steps follow each other automatically.
 */
export async function followToTheEnd(started: readonly Workflow[], options: FollowOptions): Promise<FollowResult> {
  const { world, service, look, dialog } = options;
  const view = options.showsTree ? liveView(world, look, { beforeChange: () => output?.pause() }) : undefined;
  if (view) {
    dialog.print = (line) => view.line(line);
    dialog.ask = (question) => view.ask(question);
  }
  const print = (line: string) => dialog.print(line);
  const current = new Map(started.map((workflow) => [workflow.metadata.uid ?? "", workflow]));
  const abandon = new AbortController();
  let interrupts = 0;
  let interrupted: Interrupt | undefined;
  const waiting = new Map<string, readonly NodeStatus[]>();

  const nodes = new Map<string, string>();
  const nodeNamed = (podName: string): string => {
    const known = nodes.get(podName) ??
      [...current.values()].map((workflow) => nodeOfPod(workflow, podName)?.displayName).find((name) =>
        name !== undefined
      );
    if (known !== undefined) nodes.set(podName, known);
    return known ?? podName;
  };
  const output = options.output && new StepOutput({ form: options.output, nameOf: nodeNamed, print });

  let hurry: ReturnType<typeof setTimeout> | undefined;
  /**
   * @param automatic whether the next step follows after a timeout, because the sender of the signal does not repeat
   * it.
   */
  function onInterrupt(automatic: boolean): void {
    interrupts++;
    if (interrupts > 2) return abandon.abort();
    const isFirst = interrupts === 1;
    print(isFirst ? "Stopping; Ctrl-C again terminates" : "Terminating; press Ctrl-C again to exit without waiting");
    for (const workflow of current.values()) {
      if (hasFinished(workflow)) continue;
      const { namespace = "", name = "" } = workflow.metadata;
      const request = isFirst ? service.stop(namespace, name) : service.terminate(namespace, name);
      request.catch((error) => {
        print(String(error.message));
        // If the request fails, do not wait for the workflow: it resumes at the next start.
        if (automatic) abandon.abort();
      });
    }
    clearTimeout(hurry);
    if (automatic) hurry = setTimeout(() => onInterrupt(true), isFirst ? STOPPED_WITHIN_MS : TERMINATED_WITHIN_MS);
  }

  using _listener = world.onInterrupt((signal) => {
    if (interrupted === undefined) {
      interrupted = signal;
      for (const [uid, workflow] of current) waiting.set(uid, nodesWithReason(workflow));
    }
    onInterrupt(signal === "SIGTERM");
  });

  async function followWorkflow({ metadata: { namespace = "", name = "", uid = "" } }: Workflow): Promise<void> {
    const notified = new Set<string>();
    const known = new Set<string>();
    const changes = async () => {
      for await (const workflow of service.follow(namespace, name, abandon.signal)) {
        current.set(uid, workflow);
        view?.update(workflow);
        if (output) finishedPods(workflow, known).forEach((pod) => output.markFinished(pod));
        for (const node of waitingForUser(workflow)) {
          if (notified.has(node.id)) continue;
          notified.add(node.id);
          print(
            `${node.displayName} waits: resume it from another terminal with  tiphys resume ${name}${options.clusterFlags}`,
          );
        }
      }
    };
    const lines = async () => {
      for await (const { podName, line } of service.logs(namespace, name, { follow: true }, abandon.signal)) {
        output?.line(podName, line);
      }
    };
    await Promise.all([changes(), ...(output ? [lines()] : [])]);
  }

  try {
    await Promise.all(started.map(followWorkflow));
  } finally {
    clearTimeout(hurry);
    output?.end();
    view?.close();
    dialog.print = dialogOf(world).print;
  }
  return { workflows: [...current.values()], interrupted, waiting };
}

/** Messages of pods that start as usual. */
const STARTING: ReadonlySet<string> = new Set(["", "ContainerCreating", "PodInitializing"]);

/**
 * Returns the nodes that have not started, with the reason in their message. A pod that starts as usual has no reason.
 */
export function nodesWithReason({ status }: Pick<Workflow, "status">): NodeStatus[] {
  return Object.values(status?.nodes ?? {}).filter(({ phase, message = "" }) =>
    phase === "Pending" && !STARTING.has(message)
  );
}

/**
 * Returns the names of pods whose nodes have finished since the last call; `reported` collects the IDs of these nodes.
 */
function finishedPods(workflow: Workflow, reported: Set<string>): string[] {
  const nodes: NodeStatus[] = Object.values(workflow.status?.nodes ?? {});
  const finished = nodes.filter(({ id, type, phase }) => type === "Pod" && isFinalResult(phase) && !reported.has(id));
  for (const { id } of finished) reported.add(id);
  return finished.map((node) => podNameOf(workflow, node));
}

/** Returns the suspended nodes that do not resume automatically. */
function waitingForUser({ spec, status }: Workflow): NodeStatus[] {
  const nodes: NodeStatus[] = Object.values(status?.nodes ?? {});
  const templates = [...spec.templates ?? [], ...Object.values(status?.storedTemplates ?? {})];
  const hasDuration = (node: NodeStatus) =>
    templates.some(({ name, suspend }) => suspend?.duration && name === templateNameOf(node));
  return nodes.filter((node) => isActiveSuspend(node) && !hasDuration(node));
}
