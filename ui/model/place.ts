/** Pages and their addresses: each state of the page that a user can reach has one address. */
import type { EventList } from "../api/source.ts";

/** The lists of event objects, in the order of their tabs. */
export const EVENT_LISTS: readonly EventList[] = ["workflow-event-bindings", "event-sources", "sensors"];

/** The page, without its query. */
export type Page =
  | { readonly kind: "runs"; readonly namespace: string }
  | { readonly kind: "run"; readonly namespace: string; readonly name: string }
  | { readonly kind: "templates"; readonly namespace: string }
  | { readonly kind: "template"; readonly namespace: string; readonly name: string }
  | { readonly kind: "cluster-templates" }
  | { readonly kind: "cluster-template"; readonly name: string }
  | { readonly kind: "crons"; readonly namespace: string }
  | { readonly kind: "cron"; readonly namespace: string; readonly name: string }
  | { readonly kind: "reports"; readonly namespace: string }
  | { readonly kind: "events"; readonly list: EventList; readonly namespace: string; readonly name: string | undefined }
  | { readonly kind: "event-flow"; readonly namespace: string }
  | { readonly kind: "widget"; readonly widget: Widget; readonly namespace: string }
  | { readonly kind: "login" }
  | { readonly kind: "you" }
  | { readonly kind: "help" }
  | { readonly kind: "api" }
  | { readonly kind: "unknown"; readonly path: string };

/** The pages for embedding in frames, as addresses name them. */
export const WIDGETS = ["workflow-graphs", "workflow-status-badges"] as const;

/** A widget: the graph of a run, or its status badge. */
export type Widget = (typeof WIDGETS)[number];

/** The parameters of a query, in order. */
export type Query = readonly (readonly [name: string, value: string])[];

/** A page with its query. */
export interface PageAddress {
  readonly page: Page;
  readonly query: Query;
}

type PageKind = Page["kind"];

/** The first path segment of each page. Pages of a named object have two more segments, cluster-wide ones have one. */
const WITH_NAMESPACE = {
  workflows: ["runs", "run"],
  "workflow-templates": ["templates", "template"],
  "cron-workflows": ["crons", "cron"],
} as const satisfies Readonly<Record<string, readonly [PageKind, PageKind]>>;

const ALONE = { login: "login", userinfo: "you", help: "help", apidocs: "api" } as const satisfies Readonly<
  Record<string, PageKind>
>;

/** Parses the part of an address after the base href, `workflows/data?phase=Failed`. The leading slash is optional. */
export function parsePageAddress(address: string): PageAddress {
  const index = address.indexOf("?");
  const path = index < 0 ? address : address.slice(0, index);
  const query = index < 0 ? [] : [...new URLSearchParams(address.slice(index + 1))];
  return { page: readPage(path), query };
}

function readPage(path: string): Page {
  const [first = "", ...rest] = path.split("/").filter((segment) => segment !== "").map(decodeSegment);
  const [second = "", third, ...more] = rest;
  const unknown: Page = { kind: "unknown", path };
  if (more.length > 0) return unknown;
  if (first === "widgets") {
    const widget = WIDGETS.find((candidate) => candidate === second);
    return widget ? { kind: "widget", widget, namespace: third ?? "" } : unknown;
  }
  if (first === "" || first === "timeline" && rest.length === 0) return { kind: "runs", namespace: "" };
  if (Object.hasOwn(WITH_NAMESPACE, first)) {
    const [all, one] = WITH_NAMESPACE[first as keyof typeof WITH_NAMESPACE];
    return third === undefined ? { kind: all, namespace: second } : { kind: one, namespace: second, name: third };
  }
  if (first === "reports" && third === undefined) return { kind: "reports", namespace: second };
  if (first === "event-flow" && third === undefined) return { kind: "event-flow", namespace: second };
  const list = EVENT_LISTS.find((eventList) => eventList === first);
  if (list) return { kind: "events", list, namespace: second, name: third };
  if (first === "cluster-workflow-templates" && third === undefined) {
    return second === "" ? { kind: "cluster-templates" } : { kind: "cluster-template", name: second };
  }
  // Plugins have no page: the help page shows how to list them.
  if (first === "plugins" && third === undefined) return { kind: "help" };
  if (Object.hasOwn(ALONE, first) && rest.length === 0) return { kind: ALONE[first as keyof typeof ALONE] };
  return unknown;
}

/** Returns the address of a place, relative to the base href and without a leading slash. */
export function addressOf({ page, query }: PageAddress): string {
  const search = new URLSearchParams(query.map(([name, value]) => [name, value])).toString();
  const path = pathOf(page);
  return search === "" ? path : `${path}?${search}`;
}

function pathOf(page: Page): string {
  const path = (...segments: readonly string[]) =>
    segments.filter((segment) => segment !== "").map(encodeURIComponent).join("/");
  switch (page.kind) {
    case "runs":
      return path("workflows", page.namespace);
    case "run":
      return path("workflows", page.namespace, page.name);
    case "templates":
      return path("workflow-templates", page.namespace);
    case "template":
      return path("workflow-templates", page.namespace, page.name);
    case "cluster-templates":
      return path("cluster-workflow-templates");
    case "cluster-template":
      return path("cluster-workflow-templates", page.name);
    case "crons":
      return path("cron-workflows", page.namespace);
    case "cron":
      return path("cron-workflows", page.namespace, page.name);
    case "reports":
      return path("reports", page.namespace);
    case "events":
      return path(page.list, page.namespace, page.name ?? "");
    case "event-flow":
      return path("event-flow", page.namespace);
    case "widget":
      return path("widgets", page.widget, page.namespace);
    case "login":
      return "login";
    case "you":
      return "userinfo";
    case "help":
      return "help";
    case "api":
      return "apidocs";
    case "unknown":
      return page.path.replace(/^\/+/, "");
  }
}

/** Returns the first value of a parameter, or undefined. */
export function valueOf(query: Query, name: string): string | undefined {
  return query.find(([key]) => key === name)?.[1];
}

/** Returns all values of a parameter; comma-separated lists are split. */
export function valuesOf(query: Query, name: string): string[] {
  return query.filter(([key]) => key === name).flatMap(([, value]) => value.split(",")).filter((part) => part !== "");
}

/** Returns the query with parameters replaced; `undefined` and `[]` remove a parameter. */
export function withValues(
  query: Query,
  values: Readonly<Record<string, string | readonly string[] | undefined>>,
): Query {
  const added = Object.entries(values).flatMap(([name, value]) =>
    (value === undefined ? [] : typeof value === "string" ? [value] : value).map((text) => [name, text] as const)
  );
  return [...query.filter(([name]) => !Object.hasOwn(values, name)), ...added];
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
