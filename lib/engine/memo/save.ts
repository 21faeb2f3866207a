/** Saves outputs to caches: those of memoized nodes that succeeded in this pass, or were resumed by a user. */
import type { NodeStatus, Template } from "@tiphys/model/api";
import { isOver, millisOf, nodeTypesOf, timeText } from "@tiphys/model/status";
import { callsIn } from "@tiphys/model/templates";
import type { RequestsDraft, Slice } from "../slice.ts";

/**
 * Types of nodes whose outputs are saved. Retry nodes are not among them: their outputs are those of the last attempt.
 */
const MEMOIZED_TYPES = nodeTypesOf("pod", "agent", "calls", "controller");

/** Requests that the outputs of nodes that succeeded in this pass are saved. */
export function saveMemos(pass: Slice<RequestsDraft>): void {
  for (const [id, before] of pass.draft.nodes.changed) {
    const node = pass.draft.nodes.get(id);
    if (node && mustBeSaved(node) && !(before && mustBeSaved(before))) requestSave(pass, node);
  }
  saveResumed(pass);
}

function mustBeSaved(node: NodeStatus): boolean {
  const { memoizationStatus, phase, type } = node;
  return memoizationStatus?.hit === false && phase === "Succeeded" && MEMOIZED_TYPES.has(type) && isOver(node);
}

function requestSave(pass: Slice<RequestsDraft>, { id, outputs, memoizationStatus }: NodeStatus): void {
  const { cacheName: cache, key } = memoizationStatus!;
  // Requested first, so that lookups of this pass find the entry.
  pass.draft.requestFirst({ kind: "saveMemo", cache, key, nodeId: id, outputs, at: timeText(pass.facts.now) });
}

/** Saves suspend nodes, which end between two passes, so they are recognized by the time of their end. */
function saveResumed(pass: Slice<RequestsDraft>): void {
  const { specIfSet, workflow: { status } } = pass.draft;
  const templates = [...specIfSet?.templates ?? [], ...Object.values(status?.storedTemplates ?? {})];
  if (!templates.some(hasMemoizedSuspend)) return;
  const saved = pass.cache(savedNodes);
  // The requests of a discarded pass were discarded, too. Saving is idempotent.
  if (!pass.draft.nodes.hasResultOfPreviousPass) saved.clear();
  pass.evaluateDue("resumed memo", [...pass.draft.nodes.all()].map(({ id }) => id), (id) => {
    const node = pass.draft.nodes.get(id);
    if (node?.type !== "Suspend" || !mustBeSaved(node) || saved.has(id)) return;
    saved.add(id);
    const before = pass.draft.nodes.changed.get(id);
    const endedInPass = pass.draft.nodes.changed.has(id) && !(before && mustBeSaved(before));
    if (!endedInPass && pass.facts.now.getTime() - millisOf(node.finishedAt) <= RECENT_MILLIS) requestSave(pass, node);
  });
}

/** Reports whether a template, or an inline one in it, is a memoized suspend template. Cached per template. */
function hasMemoizedSuspend(template: Template): boolean {
  let known = memoizedSuspends.get(template);
  if (known === undefined) {
    const { memoize, suspend } = template;
    known = Boolean(memoize && suspend) || callsIn(template).some(({ inline }) => inline && hasMemoizedSuspend(inline));
    memoizedSuspends.set(template, known);
  }
  return known;
}

const memoizedSuspends = new WeakMap<Template, boolean>();

const savedNodes = () => new Set<string>();

/** The age up to which ended nodes are saved. */
const RECENT_MILLIS = 60_000;
