/** Addresses of widgets: which run they are about, and how it is shown, in the names that Argo's page has for it. Pure. */
import { SIZE } from "./graph/layout.ts";
import { type Query, valueOf } from "./place.ts";

/** A widget's wishes. */
export interface WidgetQuery {
  /** The query of a list of runs whose first row is meant; undefined where the address says neither a name nor a label. */
  readonly runs: Query | undefined;
  /** The name of the frame or tab in which what is chosen opens. */
  readonly target: string;
  readonly hasOptions: boolean;
  /** The zoom at which nodes have the size that was asked for; undefined where all is to be seen. */
  readonly zoom: number | undefined;
}

const NEWEST = ["limit", "1"] as const;
const SIZES = { least: 8, most: 200 };

/** Reads them. */
export function widgetQuery(query: Query): WidgetQuery {
  const [name, label] = [valueOf(query, "name"), valueOf(query, "label")];
  const size = Number(valueOf(query, "nodeSize"));
  return {
    runs: name ? [["Exact", name], NEWEST] : label ? [["label", label], NEWEST] : undefined,
    target: valueOf(query, "target") || "_top",
    hasOptions: valueOf(query, "showOptions") === "true",
    zoom: size >= SIZES.least && size <= SIZES.most ? size / SIZE.leaf : undefined,
  };
}
