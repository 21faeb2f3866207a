/** Saves outputs to caches: those of memoized nodes that succeeded in this pass, or were resumed by a user. */
import type { NodeStatus, Template } from "@tiphys/model/api";
import { isOver, millisOf, nodeTypesOf, timeText } from "@tiphys/model/status";
import { callsIn } from "@tiphys/model/templates";
import type { RequestsDraft, Slice } from "../slice.ts";

/** A Retry node has the outputs of its last attempt, which are saved for the attempt. */
const REMEMBERED = nodeTypesOf("pod", "agent", "calls", "controller");

/** Requests that the outputs of nodes that succeeded in this pass are saved. */
export function saveMemos(pass: Slice<RequestsDraft>): void {
  for (const [id, before] of pass.draft.nodes.changed) {
    const node = pass.draft.nodes.get(id);
    if (node && isToBeSaved(node) && !(before && isToBeSaved(before))) save(pass, node);
  }
  saveResumed(pass);
}

function isToBeSaved(node: NodeStatus): boolean {
  const { memoizationStatus, phase, type } = node;
  return memoizationStatus?.hit === false && phase === "Succeeded" && REMEMBERED.has(type) && isOver(node);
}

function save(pass: Slice<RequestsDraft>, { id, outputs, memoizationStatus }: NodeStatus): void {
  const { cacheName: cache, key } = memoizationStatus!;
  // Comes first, so that nodes that are looked up in this pass find it.
  pass.draft.askFirst({ kind: "saveMemo", cache, key, nodeId: id, outputs, at: timeText(pass.facts.now) });
}

/** Saves suspend nodes, which end between two passes, so they are recognized by the time of their end. */
function saveResumed(pass: Slice<RequestsDraft>): void {
  const { settledSpec, workflow: { status } } = pass.draft;
  const templates = [...settledSpec?.templates ?? [], ...Object.values(status?.storedTemplates ?? {})];
  if (!templates.some(waitsAndRemembers)) return;
  const saved = pass.cache(savedNodes);
  pass.lookAt("resumed memo", [...pass.draft.nodes.all()].map(({ id }) => id), (id) => {
    const node = pass.draft.nodes.get(id);
    if (node?.type !== "Suspend" || !isToBeSaved(node) || saved.has(id)) return;
    saved.add(id);
    const before = pass.draft.nodes.changed.get(id);
    const endedInPass = pass.draft.nodes.changed.has(id) && !(before && isToBeSaved(before));
    if (!endedInPass && pass.facts.now.getTime() - millisOf(node.finishedAt) <= RECENT_MILLIS) save(pass, node);
  });
}

/** Reports whether a template, or an inline one in it, is a memoized suspend template. Cached per template. */
function waitsAndRemembers(template: Template): boolean {
  let known = waiting.get(template);
  if (known === undefined) {
    const { memoize, suspend } = template;
    known = Boolean(memoize && suspend) || callsIn(template).some(({ inline }) => inline && waitsAndRemembers(inline));
    waiting.set(template, known);
  }
  return known;
}

const waiting = new WeakMap<Template, boolean>();

const savedNodes = () => new Set<string>();

/** The age up to which ended nodes are saved. Saving is idempotent. */
const RECENT_MILLIS = 60_000;
