/** Workflows followed to their end in this process: shown, logged, stopped by Ctrl-C. */
import type { NodeStatus, Workflow } from "../lib/api/mod.ts";
import type { KubeClient } from "../lib/kube/mod.ts";
import { isActiveSuspendNode } from "../lib/workflow_actions/mod.ts";
import { shutDown } from "./change_workflow.ts";
import { followWorkflow, hasFinished } from "./follow_workflow.ts";
import { liveView } from "./live_view.ts";
import { type Look, paintName } from "./look.ts";
import { LogFollower, MAIN, nodeNameOf } from "./pod_logs.ts";
import type { World } from "./world.ts";

/** Where lines go that come while something is shown: above it, as long as it is there. */
export interface Voice {
  say: (line: string) => void;
}

/** A voice for before something is shown. */
export function voiceOf(world: World): Voice {
  return { say: (line) => world.err(`${line}\n`) };
}

/** How workflows are followed. */
export interface FollowOptions {
  readonly world: World;
  /** Speaks through the view while there is one. */
  readonly voice: Voice;
  readonly client: KubeClient;
  readonly look: Look;
  /** Whether the tree is shown. */
  readonly shows: boolean;
  /** Whether what pods write is shown. */
  readonly logs: boolean;
  /** The flags that lead another command to this cluster. */
  readonly clusterFlags: string;
}

/** How it ended. */
export interface Followed {
  readonly workflows: readonly Workflow[];
  /** How often the person pressed Ctrl-C. */
  readonly interrupts: number;
}

/**
 * Follows workflows until all have ended. Ctrl-C stops them, a second one terminates them, a third one does not wait for
 * their end.
 */
export async function followToTheEnd(started: readonly Workflow[], options: FollowOptions): Promise<Followed> {
  const { world, client, look, voice } = options;
  const view = options.shows ? liveView(world, look) : undefined;
  if (view) voice.say = (line) => view.line(line);
  const say = (line: string) => voice.say(line);
  const current = new Map(started.map((workflow) => [workflow.metadata.uid ?? "", workflow]));
  const abandon = new AbortController();
  let interrupts = 0;

  using _listener = world.onInterrupt(() => {
    interrupts++;
    if (interrupts > 2) return abandon.abort();
    const isFirst = interrupts === 1;
    say(isFirst ? "Stopping; Ctrl-C again terminates" : "Terminating; Ctrl-C again ends without waiting");
    for (const workflow of current.values()) {
      if (hasFinished(workflow)) continue;
      const { namespace = "", name = "" } = workflow.metadata;
      shutDown(client, namespace, name, isFirst ? "Stop" : "Terminate").catch((error) => say(String(error.message)));
    }
  });

  async function follow({ metadata: { namespace = "", name = "", uid = "" } }: Workflow): Promise<void> {
    const told = new Set<string>();
    const logs = new LogFollower({ client, namespace, workflowName: name, options: MAIN }, (pod, line) => {
      const prefix = paintName(nodeNameOf(pod, current.get(uid)), look);
      say(`${prefix}: ${line}`);
    });
    try {
      if (options.logs) await logs.start();
      for await (const workflow of followWorkflow(client, namespace, name, abandon.signal)) {
        current.set(uid, workflow);
        view?.update(workflow);
        for (const node of waitingForAPerson(workflow)) {
          if (told.has(node.id)) continue;
          told.add(node.id);
          say(
            `${node.displayName} waits: resume it from another terminal with  tiphys resume ${name} ${options.clusterFlags}`,
          );
        }
      }
      if (!abandon.signal.aborted) await logs.drained();
    } finally {
      logs.close();
    }
  }

  try {
    await Promise.all(started.map(follow));
  } finally {
    view?.close();
    voice.say = voiceOf(world).say;
  }
  return { workflows: [...current.values()], interrupts };
}

/** Suspended nodes that do not go on by themselves. */
function waitingForAPerson({ spec, status }: Workflow): NodeStatus[] {
  const nodes: NodeStatus[] = Object.values(status?.nodes ?? {});
  const templates = [...spec.templates ?? [], ...Object.values(status?.storedTemplates ?? {})];
  const hasDuration = (node: NodeStatus) =>
    templates.some(({ name, suspend }) =>
      suspend?.duration && name === (node.templateRef?.template ?? node.templateName)
    );
  return nodes.filter((node) => isActiveSuspendNode(node) && !hasDuration(node));
}
