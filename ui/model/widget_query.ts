/** Addresses of widgets: their run and its display, with the parameter names of Argo's page. Pure. */
import { SIZE } from "./graph/layout.ts";
import { type Query, valueOf } from "./place.ts";

/** The parameters of a widget. */
export interface WidgetQuery {
  /** The query of a list of runs whose first row is shown; undefined if the address has neither a name nor a label. */
  readonly runs: Query | undefined;
  /** The frame or tab in which links open. */
  readonly target: string;
  readonly hasOptions: boolean;
  /** The zoom at which nodes have the requested size; undefined to fit the whole graph. */
  readonly zoom: number | undefined;
}

const NEWEST = ["limit", "1"] as const;
const SIZES = { least: 8, most: 200 };

/** Reads the parameters from a query. */
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
