/** The nodes of a run for the palette's search. */
import { useRef } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { nodesOf } from "@tiphys/model/status";
import { useNamedThings } from "../../actions.ts";

/** Registers the nodes while the page is shown, without groups of steps, which no view shows. */
export function useNodeSearch(run: Workflow, onSelect: (nodeId: string) => void): void {
  const latest = useRef({ run, onSelect });
  latest.current = { run, onSelect };
  useNamedThings({
    list: () =>
      nodesOf(latest.current.run).filter(({ type }) => type !== "StepGroup").map((
        { id, name, displayName, templateName },
      ) => ({ id, name: displayName ?? name, about: templateName })),
    open: (id) => latest.current.onSelect(id),
  });
}
