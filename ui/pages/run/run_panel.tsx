/** The panel of the node that is chosen in a run, with what can be done to it. */
import { useMemo } from "preact/hooks";
import type { NodeStatus } from "../../../lib/api/mod.ts";
import type { Reason } from "../../../lib/explain/reason.ts";
import { attemptsOf, isActiveSuspend, podNameOf, storedTemplateOf } from "../../../lib/status/mod.ts";
import { useApp } from "../../app.ts";
import { LinkList } from "../../components/link_list.tsx";
import { NodePanel } from "../../components/run/node_panel.tsx";
import { failedHosts } from "../../model/run/node_facts.ts";
import { podLinks } from "../../model/links.ts";
import type { Doing } from "./doing.ts";
import { lazy } from "../lazy.tsx";
import type { RunScene } from "./run_scene.ts";
import * as words from "../../model/text/en/run_page.ts";
import * as shared from "../../model/text/en/shared.ts";

const ResumeForm = lazy(async () => (await import("../../components/run/resume_form.tsx")).ResumeForm);

/** The panel. */
export function RunPanel({ scene, doing, reasons, isOver }: {
  readonly scene: RunScene;
  /** Undefined where the node is shown as it was once: nothing is done to it then. */
  readonly doing: Doing | undefined;
  readonly reasons: readonly Reason[] | undefined;
  readonly isOver: boolean;
}) {
  const app = useApp();
  const { run, view, now, change } = scene;
  const node = scene.node!;
  const nodes = useMemo(() => new Map(Object.entries(run.status?.nodes ?? {})), [run]);
  const attempts = attemptsOf(node, nodes);
  const pod = node.type === "Retry" ? attempts.at(-1) : node.type === "Container" ? podOfContainer(node, nodes) : node;
  const failedOn = useMemo(() => failedHosts(attempts, nodes), [nodes, node.id]);
  const resume = async (doing: Doing, outputs: Readonly<Record<string, string>>) => {
    const nodeFieldSelector = `id=${node.id}`;
    const outputParameters = JSON.stringify(outputs);
    if (Object.keys(outputs).length && await doing.act({ verb: "set", nodeFieldSelector, outputParameters })) return;
    await doing.act({ verb: "resume", nodeFieldSelector });
  };
  return (
    <NodePanel
      node={node}
      attempts={attempts}
      template={storedTemplateOf(run, node)}
      podName={podNameOf(run, node)}
      failedOn={failedOn}
      prices={app.info.value.prices}
      reasons={isOver ? [] : reasons}
      view={view.panel}
      now={now}
      onView={(panel) => change({ panel })}
      onSelect={(nodeId) => change({ nodeId })}
      onClose={() => change({ nodeId: undefined })}
      artifactHref={(artifact) => scene.hrefOf({ artifact })}
      logHref={pod?.type === "Pod" && doing
        ? (container) => scene.hrefOf({ tab: "logs", log: { nodeId: pod.id, container } })
        : undefined}
      actions={doing && (
        <>
          {pod?.type === "Pod" && (
            <button
              type="button"
              class="button"
              onClick={() => change({ tab: "logs", log: { nodeId: pod.id, container: mainOf(node) } })}
            >
              {shared.logsButton}
            </button>
          )}
          <button type="button" class="button" onClick={() => change({ tab: "manifest" })}>{words.manifestTab}</button>
          <button
            type="button"
            class="button"
            onClick={() => change({ tab: "events", eventsOf: node.type === "Container" && pod ? pod.id : node.id })}
          >
            {words.eventsTab}
          </button>
          {pod?.type === "Pod" && (
            <LinkList
              links={podLinks(app.info.value.links, "pod", { run, podName: podNameOf(run, pod), node: pod, now })}
            />
          )}
          {isOver && (
            <button type="button" class="button" onClick={() => change({ dialog: "retry" })}>
              {words.retryFromHereButton}
            </button>
          )}
          {isActiveSuspend(node) && (
            <ResumeForm
              // What was typed for one node is not for another that asks by the same names.
              key={node.id}
              node={node}
              isBusy={doing.word !== undefined}
              onResume={(outputs) => void resume(doing, outputs)}
            />
          )}
        </>
      )}
    />
  );
}

/** The container whose log a node is told by. */
function mainOf({ type, displayName }: NodeStatus): string {
  return type === "Container" && displayName ? displayName : "main";
}

/** The pod of a container of a set. */
function podOfContainer({ boundaryID, name }: NodeStatus, nodes: ReadonlyMap<string, NodeStatus>) {
  const holder = boundaryID === undefined ? undefined : nodes.get(boundaryID);
  if (holder?.type === "Pod") return holder;
  const path = name.slice(0, name.lastIndexOf("."));
  return [...nodes.values()].find((one) => one.type === "Pod" && one.name === path);
}
