/**
 * Updates parts whose nodes changed without moving: a phase, a message, a time. Only these parts and those around them
 * are created again, and positions stay. Pure; the page and the worker apply the same update.
 */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { fieldsOf } from "@tiphys/base/fields_of";
import { isCompletedPhase } from "@tiphys/model/status";
import { familyOf } from "../node_look.ts";
import { isSame } from "./changed_nodes.ts";
import type { Picture, PlacedPart } from "./layout.ts";
import { makePart } from "./make_part.ts";
import type { Part } from "./part.ts";

/** The fields of a node that cannot affect its position. Other and unknown fields might. */
const LOOSE = new Set<string>([
  "phase",
  "message",
  "startedAt",
  "finishedAt",
  "estimatedDuration",
  "progress",
  "resourcesDuration",
  "hostNodeName",
  "podIP",
  "daemoned",
  "inputs",
  "outputs",
  "synchronizationStatus",
  "taskResultSynced",
]);

/**
 * Reports whether changed nodes all keep their positions, given that the other nodes and the templates are the same.
 */
export function isInPlace(before: Workflow, after: Workflow, changed: readonly NodeStatus[]): boolean {
  const [was, is] = [before.status, after.status];
  // The exit handler is planned until the run finishes.
  return isCompletedPhase(was?.phase) === isCompletedPhase(is?.phase) &&
    isSame(was?.storedTemplates, is?.storedTemplates) &&
    isSame(was?.storedWorkflowTemplateSpec, is?.storedWorkflowTemplateSpec) &&
    changed.every((node) => isVisiblyDifferent(was?.nodes?.[node.id], node));
}

function isVisiblyDifferent(before: NodeStatus | undefined, after: NodeStatus): boolean {
  if (!before) return false;
  const [one, other] = [fieldsOf(before), fieldsOf(after)];
  for (const field in one) if (!LOOSE.has(field) && !isSame(one[field], other[field])) return false;
  for (const field in other) if (!LOOSE.has(field) && !(field in one)) return false;
  return true;
}

/** An updated graph. */
export interface GraphUpdate {
  readonly whole: Part;
  /** Whether the default folding stays the same, so that all parts of the picture keep their positions. */
  readonly isAsOpen: boolean;
}

/** Replaces nodes by ID. */
export function touchedParts(whole: Part, changed: ReadonlyMap<string, NodeStatus>): GraphUpdate {
  let isAsOpen = true;
  const touched = (part: Part): Part => {
    const node = part.node && changed.get(part.node.id);
    let members: Part[] | undefined;
    for (let index = 0; index < part.members.length; index++) {
      const member = touched(part.members[index]!);
      if (member === part.members[index]) continue;
      members ??= [...part.members];
      members[index] = member;
    }
    const attempts = part.attempts.some(({ id }) => changed.has(id))
      ? part.attempts.map((attempt) => changed.get(attempt.id) ?? attempt)
      : undefined;
    if (!node && !members && !attempts) return part;
    const own = node ?? part.node;
    const made = makePart({
      ...part,
      node: own,
      family: own ? familyOf(own) : part.isPlanned ? part.family : undefined,
      ...(members ? { members } : {}),
      ...(attempts ? { attempts } : {}),
    });
    if (part !== whole && part.members.length > 0 && !isFoldedAlike(part, made)) isAsOpen = false;
    return made;
  };
  return { whole: touched(whole), isAsOpen };
}

/** Reports whether the default folding of a group stays the same, which depends on failures and running parts in it. */
function isFoldedAlike({ counts: was }: Part, { counts: is }: Part): boolean {
  return (was.failed + was.error > 0) === (is.failed + is.error > 0) &&
    (was.works + was.waits > 0) === (is.works + is.waits > 0);
}

/** The maximum number of parts that are processed before yielding. */
const AT_ONCE = 500;

/** Returns the picture of an updated graph with the same positions; each `yield` is a pause for other work. */
export function* touchedPicture(picture: Picture, whole: Part): Generator<undefined, Picture> {
  const placed: PlacedPart[] = [];
  const renewed = new Map<PlacedPart, PlacedPart>();
  // The stack of open groups: their members, and the current index.
  const open: { readonly members: readonly Part[]; readonly holder: PlacedPart | undefined; at: number }[] = [
    { members: whole.members, holder: undefined, at: 0 },
  ];
  for (const before of picture.placed) {
    while (open.at(-1)!.at === open.at(-1)!.members.length) open.pop();
    const box = open.at(-1)!;
    const part = box.members[box.at++]!;
    const isSamePlace = part === before.part && before.holder === box.holder;
    const placedPart = isSamePlace ? before : { ...before, part, holder: box.holder };
    if (!isSamePlace) renewed.set(before, placedPart);
    placed.push(placedPart);
    if (placedPart.isOpen) open.push({ members: part.members, holder: placedPart, at: 0 });
    if (placed.length % AT_ONCE === 0) yield;
  }
  const routes = [...picture.routes];
  for (let index = 0; index < routes.length; index++) {
    const { from, to } = routes[index]!;
    if (renewed.has(from) || renewed.has(to)) {
      routes[index] = { ...routes[index]!, from: renewed.get(from) ?? from, to: renewed.get(to) ?? to };
    }
    if (index % AT_ONCE === 0) yield;
  }
  return { ...picture, placed, routes };
}
