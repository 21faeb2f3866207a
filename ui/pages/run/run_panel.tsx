/** The panel of the selected node of a run, with its actions. */
import { useMemo } from "preact/hooks";
import type { Reason } from "@tiphys/engine/explain";
import { attemptsOf, isActiveSuspend, podNameOf, storedTemplateOf } from "@tiphys/model/status";
import { useApp } from "../../app.ts";
import { LinkList } from "../../components/link_list.tsx";
import { NodePanel } from "../../components/run/node_panel.tsx";
import { failedHosts, mainOf, podOf } from "../../model/run/node_facts.ts";
import { podLinks } from "../../model/links.ts";
import { resumeStep } from "../../model/run/resume_run.ts";
import type { RunActions } from "./use_run_actions.ts";
import { lazy } from "../lazy.tsx";
import type { RunScene } from "./run_scene.ts";
import * as words from "../../model/text/en/run_page.ts";
import * as shared from "../../model/text/en/shared.ts";

const ResumeForm = lazy(async () => (await import("../../components/run/resume_form.tsx")).ResumeForm);

export function RunPanel({ scene, doing, reasons, isFinished: isOver }: {
  readonly scene: RunScene;
  /** Undefined during a replay, which allows no actions. */
  readonly doing: RunActions | undefined;
  readonly reasons: readonly Reason[] | undefined;
  readonly isFinished: boolean;
}) {
  const app = useApp();
  const { run, view, now, change } = scene;
  const node = scene.node!;
  const nodes = useMemo(() => new Map(Object.entries(run.status?.nodes ?? {})), [run]);
  const attempts = attemptsOf(node, nodes);
  const pod = podOf(node, nodes);
  const failedOn = useMemo(() => failedHosts(attempts, nodes), [nodes, node.id]);
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
      logHref={pod && doing ? (container) => scene.hrefOf({ log: { nodeId: pod.id, container } }) : undefined}
      actions={doing && (
        <>
          {pod && (
            <button
              type="button"
              class="button"
              onClick={() => change({ log: { nodeId: pod.id, container: mainOf(node) } })}
            >
              {shared.logsButton}
            </button>
          )}
          <button type="button" class="button" onClick={() => change({ tab: "manifest" })}>{words.manifestTab}</button>
          <button
            type="button"
            class="button"
            onClick={() => change({ eventsOf: node.type === "Container" && pod ? pod.id : node.id })}
          >
            {words.eventsTab}
          </button>
          {pod && (
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
              // Typed values must not carry over to another node with the same parameters.
              key={node.id}
              node={node}
              isBusy={doing.word !== undefined}
              onResume={(answer) => void doing.actAll(resumeStep(node, answer))}
            />
          )}
        </>
      )}
    />
  );
}
