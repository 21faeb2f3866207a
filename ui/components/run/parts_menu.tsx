/** The menu of the parts that are shown: what it offers is loaded, and counted, while it is open. */
import { useState } from "preact/hooks";
import type { GraphShape } from "../../model/graph/graph_shape.ts";
import type { Part } from "../../model/graph/part.ts";
import { GraphMenu } from "./graph_menu.tsx";

interface Props {
  /** The graph with all its parts. */
  readonly whole: Part;
  readonly shape: GraphShape;
  /** Whether rows are shown, which have no artifacts and no groups. */
  readonly ofRows?: boolean;
  readonly onShape: (shape: GraphShape) => void;
}

/** The menu. */
export function PartsMenu(props: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="menu graph-menu"
      onToggle={(event) => setOpen(event.currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.currentTarget.open = false;
        event.stopPropagation();
      }}
    >
      <summary class={props.ofRows ? "button" : "button quiet"}>Parts</summary>
      <div class="menu-body" tabIndex={-1}>{isOpen && <GraphMenu {...props} />}</div>
    </details>
  );
}
