/** The nodes of a run, for the palette to find them by name. */
import { useRef } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { nodesOf } from "@tiphys/model/status";
import { useNamedThings } from "../../actions.ts";

/** Offers them as long as the page is shown; groups of steps, which are drawn nowhere, are left out. */
export function useNamedNodes(run: Workflow, onSelect: (nodeId: string) => void): void {
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
