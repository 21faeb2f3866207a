/** The Kubernetes events of a run and its pods, newest first. */
import { useMemo } from "preact/hooks";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { attemptsOf, nodesOf, podNameOf } from "@tiphys/model/status";
import type { KubeEvent } from "../../api/source.ts";
import { useApp } from "../../app.ts";
import { Refused } from "../refused.tsx";
import { momentText, whenText } from "../../model/duration.ts";
import { isAboutNode } from "../../model/run/node_facts.ts";
import type { RunScene } from "./run_scene.ts";
import { useEvents } from "./use_events.ts";
import * as words from "../../model/text/en/events_tab.ts";
import * as shared from "../../model/text/en/shared.ts";

/** The maximum number of events that are shown. */
const MAX_ITEMS = 500;

export function EventsTab({ scene: { namespace, name, run, view, hrefOf } }: { scene: RunScene }) {
  const app = useApp();
  // Times of events are relative to now, also for a finished run.
  const now = app.now.value;
  const { events, refusal, isOpen } = useEvents(app.source, namespace, name);
  const node = view.eventsOf === undefined ? undefined : run.status?.nodes?.[view.eventsOf];
  const shown = useMemo(() => {
    // Events of attempts belong to their node.
    const about = node && [node, ...attemptsOf(node, new Map(Object.entries(run.status?.nodes ?? {})))]
      .map((attempt) => ({ name: attempt.name, podName: podNameOf(run, attempt) }));
    const meant = about
      ? events.value.filter((event) => about.some((candidate) => isAboutNode(event, candidate, candidate.podName)))
      : events.value;
    // Servers return existing events in any order.
    return meant.toSorted((a, b) => a.lastTimestamp < b.lastTimestamp ? 1 : a.lastTimestamp > b.lastTimestamp ? -1 : 0);
  }, [events.value, node]);
  const nodes = useMemo(() => nodesOfPods(run), [run]);
  const filter = node && (
    <p class="chips">
      <a
        class="chip"
        href={hrefOf({ eventsOf: undefined })}
        aria-label={words.removeNode(node.displayName ?? node.name)}
      >
        {words.onlyOfNode(node.displayName ?? node.name)} <span aria-hidden="true">✕</span>
      </a>
    </p>
  );
  if (refusal.value && events.value.length === 0) {
    if (refusal.value.kind === "unknown-route") return <p class="note">{words.eventsUnavailable}</p>;
    return <Refused refusal={refusal.value} />;
  }
  if (shown.length === 0) {
    return (
      <>
        {filter}
        <p class="muted">
          {isOpen.value ? words.noEventKnown : words.readingEvents}
        </p>
      </>
    );
  }
  return (
    <>
      {filter}
      <div class="scroll-x">
        <table class="events">
          <thead>
            <tr>
              <th>{words.typeField}</th>
              <th>{words.reasonField}</th>
              <th>{words.aboutField}</th>
              <th>{shared.messageField}</th>
              <th>{words.whenField}</th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, MAX_ITEMS).map((event, i) => (
              <tr key={i} class={event.type === "Warning" ? "warning" : undefined}>
                <td>{event.type}</td>
                <td>{event.reason}</td>
                <td class="muted about">
                  <About
                    event={event}
                    run={name}
                    nodes={nodes}
                    hrefOf={(nodeId) =>
                      hrefOf({ nodeId })}
                  />
                </td>
                <td class="foreign">{event.message}{event.count > 1 && ` (×${event.count})`}</td>
                <td class="muted number" title={momentText(event.lastTimestamp)}>
                  {whenText(event.lastTimestamp, now)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Returns the nodes of a run by pod name. */
function nodesOfPods(run: Workflow): ReadonlyMap<string, NodeStatus> {
  return new Map(nodesOf(run).filter(({ type }) => type === "Pod").map((node) => [podNameOf(run, node), node]));
}

/** Renders the object of an event: the node of a pod, "the run" for the run itself, or the name of another object. */
function About({ event: { involvedObject: { kind, name } }, run, nodes, hrefOf }: {
  readonly event: KubeEvent;
  readonly run: string;
  readonly nodes: ReadonlyMap<string, NodeStatus>;
  readonly hrefOf: (nodeId: string) => string;
}) {
  if (kind === "Workflow" && name === run) return <>{words.theRun}</>;
  const node = nodes.get(name);
  return node ? <a href={hrefOf(node.id)} title={name}>{node.displayName ?? node.name}</a> : <>{name}</>;
}
