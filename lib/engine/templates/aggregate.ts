import type { NodeStatus } from "@tiphys/model/api";
import { aggregate } from "@tiphys/language/template";
import { withResultOfOriginalPod } from "@tiphys/model/status";
import type { Slice } from "../slice.ts";
import type { ReferenceRoot, Scope } from "./scope.ts";

/** The nodes of a loop's items, including hooks and attempts, which `aggregateLoop` ignores. */
export function childrenOfLoop(pass: Slice, boundaryId: string, loopName: string): NodeStatus[] {
  const prefix = `${loopName}(`;
  return [...pass.draft.nodes.withBoundary(boundaryId)].filter((node) => node.name.startsWith(prefix)).map(
    withResultOfOriginalPod,
  );
}

/** Adds the outputs of a completed loop as lists, in the order of items. */
export function aggregateLoop(
  scope: Scope,
  root: ReferenceRoot,
  name: string,
  loopName: string,
  children: readonly NodeStatus[],
): void {
  for (const [key, value] of aggregate(`${root}.${name}`, loopName, children)) scope.values.set(key, value);
}
