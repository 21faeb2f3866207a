/** Workflows followed to their end in this process: shown, logged, stopped by Ctrl-C. */
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

/** The output for lines and questions while a tree is shown: they are printed above it. */
export interface Voice {
  say: (line: string) => void;
  ask: (question: string) => boolean;
}

/** A voice for before something is shown. */
export function voiceOf(world: World): Voice {
  return { say: (line) => world.err(`${line}\n`), ask: (question) => world.confirm(question) };
}

/** The time that a workflow has to stop, and to terminate, after a SIGTERM. */
const STOPPED_WITHIN_MS = 30_000;
const TERMINATED_WITHIN_MS = 10_000;

/** Options of following workflows. */
export interface FollowOptions {
  readonly world: World;
  /** Speaks through the view while there is one. */
  readonly voice: Voice;
  readonly service: WorkflowService;
  readonly look: Look;
  /** Whether the tree is shown. */
  readonly shows: boolean;
  /** The form in which the output of steps is printed; undefined for none. */
  readonly output: GroupForm | undefined;
  /** The flags that lead another command to this cluster. */
  readonly clusterFlags: string;
}

/** The end of following workflows. */
export interface Followed {
  readonly workflows: readonly Workflow[];
  /** The signal that came first, where one came: Ctrl-C is SIGINT. */
  readonly interrupted: Interrupt | undefined;
}

/**
 * Follows workflows until all have ended. Ctrl-C stops them, a second one terminates them, a third one does not wait for
 * their end. After a SIGTERM all three come one after the other by themselves.
 */
export async function followToTheEnd(started: readonly Workflow[], options: FollowOptions): Promise<Followed> {
  const { world, service, look, voice } = options;
  const view = options.shows ? liveView(world, look, { beforeChange: () => output?.pause() }) : undefined;
  if (view) {
    voice.say = (line) => view.line(line);
    voice.ask = (question) => view.ask(question);
  }
  const say = (line: string) => voice.say(line);
  const current = new Map(started.map((workflow) => [workflow.metadata.uid ?? "", workflow]));
  const abandon = new AbortController();
  let interrupts = 0;
  let interrupted: Interrupt | undefined;

  const nodes = new Map<string, string>();
  const nodeNamed = (podName: string): string => {
    const known = nodes.get(podName) ??
      current.values().map((workflow) => nodeOfPod(workflow, podName)?.displayName).find((name) => name !== undefined);
    if (known !== undefined) nodes.set(podName, known);
    return known ?? podName;
  };
  const output = options.output && new StepOutput({ form: options.output, nameOf: nodeNamed, print: say });

  let hurry: ReturnType<typeof setTimeout> | undefined;
  /** `alone`: nobody will ask again, so the next step comes by itself. */
  function interrupt(alone: boolean): void {
    interrupts++;
    if (interrupts > 2) return abandon.abort();
    const isFirst = interrupts === 1;
    say(isFirst ? "Stopping; Ctrl-C again terminates" : "Terminating; Ctrl-C again ends without waiting");
    for (const workflow of current.values()) {
      if (hasFinished(workflow)) continue;
      const { namespace = "", name = "" } = workflow.metadata;
      const asked = isFirst ? service.stop(namespace, name) : service.terminate(namespace, name);
      asked.catch((error) => {
        say(String(error.message));
        // A workflow that could not be asked to end is not waited for: it goes on at the next start.
        if (alone) abandon.abort();
      });
    }
    clearTimeout(hurry);
    if (alone) hurry = setTimeout(() => interrupt(true), isFirst ? STOPPED_WITHIN_MS : TERMINATED_WITHIN_MS);
  }

  using _listener = world.onInterrupt((signal) => {
    interrupted ??= signal;
    interrupt(signal === "SIGTERM");
  });

  async function follow({ metadata: { namespace = "", name = "", uid = "" } }: Workflow): Promise<void> {
    const told = new Set<string>();
    const known = new Set<string>();
    const changes = async () => {
      for await (const workflow of service.follow(namespace, name, abandon.signal)) {
        current.set(uid, workflow);
        view?.update(workflow);
        if (output) finishedPods(workflow, known).forEach((pod) => output.finished(pod));
        for (const node of waitingForAPerson(workflow)) {
          if (told.has(node.id)) continue;
          told.add(node.id);
          say(
            `${node.displayName} waits: resume it from another terminal with  tiphys resume ${name} ${options.clusterFlags}`,
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
    await Promise.all(started.map(follow));
  } finally {
    clearTimeout(hurry);
    output?.end();
    view?.close();
    voice.say = voiceOf(world).say;
  }
  return { workflows: [...current.values()], interrupted };
}

/** Returns the names of pods whose nodes have finished since the last call; `known` collects the IDs of these nodes. */
function finishedPods(workflow: Workflow, known: Set<string>): string[] {
  const nodes: NodeStatus[] = Object.values(workflow.status?.nodes ?? {});
  const finished = nodes.filter(({ id, type, phase }) => type === "Pod" && isFinalResult(phase) && !known.has(id));
  for (const { id } of finished) known.add(id);
  return finished.map((node) => podNameOf(workflow, node));
}

/** Suspended nodes that do not continue by themselves. */
function waitingForAPerson({ spec, status }: Workflow): NodeStatus[] {
  const nodes: NodeStatus[] = Object.values(status?.nodes ?? {});
  const templates = [...spec.templates ?? [], ...Object.values(status?.storedTemplates ?? {})];
  const hasDuration = (node: NodeStatus) =>
    templates.some(({ name, suspend }) => suspend?.duration && name === templateNameOf(node));
  return nodes.filter((node) => isActiveSuspend(node) && !hasDuration(node));
}
