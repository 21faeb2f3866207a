import type { NodeStatus } from "@tiphys/model/api";
import { aggregate } from "@tiphys/language/template";
import type { Slice } from "../slice.ts";
import type { ReferenceRoot, Scope } from "./scope.ts";

/** The nodes that a loop's items became, hooks and attempts among them; `aggregateLoop` leaves those out. */
export function childrenOfLoop(pass: Slice, boundaryId: string, loopName: string): NodeStatus[] {
  const prefix = `${loopName}(`;
  return [...pass.draft.nodes.withBoundary(boundaryId)].filter((node) => node.name.startsWith(prefix));
}

/** Adds the outputs of a finished loop: lists, by index. */
export function aggregateLoop(
  scope: Scope,
  root: ReferenceRoot,
  name: string,
  loopName: string,
  children: readonly NodeStatus[],
): void {
  for (const [key, value] of aggregate(`${root}.${name}`, loopName, children)) scope.values.set(key, value);
}
