/** The query of a list of workflows, combined from its two selectors and its other fields. */
import type { Workflow } from "@tiphys/model/api";
import type { Filters } from "@tiphys/storage/archive";
import { LABEL } from "@tiphys/base/constants";
import { parseFieldSelector, parseLabelSelector } from "@tiphys/kube/selectors";
import { isDefaultOrder, readRunOrder, RUN_ORDER_FIELDS, type RunOrder } from "@tiphys/model/status";
import { parseRequirements, type Requirement, SelectorError } from "@tiphys/base/selector/label_selector";
import { badRequest, type WireError } from "../wire/errors.ts";
import { type QueryValues, readBool } from "../wire/query.ts";
import type { LIST_OPTIONS } from "../routes/list_options.ts";

/** The comparison of a workflow's name with the name in the query. */
export type NameFilter = "Exact" | "Contains" | "Prefix" | "NotEquals";

const NAME_FILTERS: readonly NameFilter[] = ["Exact", "Contains", "Prefix", "NotEquals"];

/** A parsed query. */
export interface ListQuery {
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly matches: (workflow: Workflow) => boolean;
  /** The same conditions, for archived workflows. */
  readonly filters: Filters;
  readonly limit: number;
  readonly continue: string;
  readonly showRemaining: boolean;
  /** Undefined for the default order. */
  readonly order?: RunOrder | undefined;
  /** The name, if the query selects exactly one. */
  readonly name?: string | undefined;
}

/** The query parameters of a list other than `listOptions`. */
export const LIST_QUERY = {
  fields: "string",
  nameFilter: "string",
  createdAfter: "string",
  finishedBefore: "string",
} as const;

/** The order of a list, an addition to Argo's API: `duration`, or `-duration` for the longest first. */
export const SORT_QUERY = { sort: "string" } as const;

/** Query parameters that only lists of the archive have. */
export const ARCHIVE_QUERY = { namespace: "string", namePrefix: "string" } as const;

interface FieldTerm {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  "metadata.namespace": ["=", "==", "!="],
  "metadata.name": ["=", "==", "!="],
  "spec.startedAt": [">", "<"],
  "ext.showRemainingItemCount": ["=", "=="],
};

/** @throws {WireError} if lists of workflows do not support a term. */
function fieldTerms(text: string): FieldTerm[] {
  return text.split(",").map((part) => part.trim()).filter(Boolean).map((term) => {
    const { field, operator, value } = readTerm(term);
    const known = Object.hasOwn(OPERATORS, field) ? OPERATORS[field]! : [];
    if (!known.includes(operator)) throw badRequest(`unsupported requirement ${term}`);
    return { field, operator, value };
  });
}

/** Splits a requirement into its three parts. The operator is empty if it is missing or unsupported. */
function readTerm(term: string): FieldTerm {
  const index = term.search(/[=!<>]/);
  if (index < 1) return { field: term, operator: "", value: "" };
  const [operator = ""] = /^(==|!=|=|>|<)/.exec(term.slice(index)) ?? [];
  return { field: term.slice(0, index).trim(), operator, value: term.slice(index + operator.length).trim() };
}

type ListQueryValues =
  & QueryValues<typeof LIST_OPTIONS>
  & QueryValues<typeof LIST_QUERY>
  & Pick<QueryValues<typeof ARCHIVE_QUERY>, "namePrefix">
  & QueryValues<typeof SORT_QUERY>;

/**
 * Parses a query. The namespace of the path takes precedence over that of the selector.
 * @throws {WireError} if a selector or time is invalid.
 */
export function readListQuery(
  pathNamespace: string,
  values: ListQueryValues,
  instanceId: string | undefined,
): ListQuery {
  const terms = fieldTerms(values["listOptions.fieldSelector"] ?? "");
  const nameFilter = readNameFilter(values.nameFilter);
  const tests: ((workflow: Workflow) => boolean)[] = [labelTest(values["listOptions.labelSelector"], instanceId)];
  const and: Filters[] = [];
  let namespace = pathNamespace;
  let showRemaining = false;
  let name: string | undefined;
  for (const { field, operator, value } of terms) {
    const isEqual = operator !== "!=";
    // As in Argo's server, an empty name or namespace is not a condition.
    if (value === "" && field.startsWith("metadata.")) continue;
    if (field === "metadata.namespace") {
      if (isEqual && pathNamespace !== "" && value !== pathNamespace) throw contradiction(pathNamespace, value);
      if (isEqual && namespace === "") namespace = value;
      tests.push(({ metadata }) => (metadata.namespace === value) === isEqual);
      and.push({ namespace: value, namespaceFilter: isEqual ? "Exact" : "NotEquals" });
    } else if (field === "metadata.name") {
      if (isEqual && nameFilter === "Exact") name = value;
      const filter = isEqual ? nameFilter : "NotEquals";
      tests.push(({ metadata }) => nameTest(metadata.name ?? "", value, filter));
      and.push({ name: value, nameFilter: filter });
    } else if (field === "spec.startedAt") {
      const time = readTime("spec.startedAt", value);
      tests.push(({ status }) => {
        const started = Date.parse(status?.startedAt ?? "");
        return operator === ">" ? started > time : started < time;
      });
      and.push(operator === ">" ? { startedAfter: new Date(time) } : { startedBefore: new Date(time) });
    } else showRemaining = readBool(field, value);
  }
  if (values.createdAfter) {
    const after = readTime("createdAfter", values.createdAfter);
    tests.push(({ metadata }) => Date.parse(metadata.creationTimestamp ?? "") > after);
    and.push({ createdAfter: new Date(after) });
  }
  if (values.finishedBefore) {
    const before = readTime("finishedBefore", values.finishedBefore);
    tests.push(({ status }) => Date.parse(status?.finishedAt ?? "") < before);
    and.push({ finishedBefore: new Date(before) });
  }
  if (values.namePrefix) and.push(prefixFilter(values.namePrefix, values.nameFilter));
  return {
    namespace,
    matches: (workflow) => tests.every((test) => test(workflow)),
    filters: {
      namespace: namespace || undefined,
      labels: requirements(values["listOptions.labelSelector"] ?? ""),
      and,
    },
    limit: readLimit(values["listOptions.limit"]),
    continue: values["listOptions.continue"] ?? "",
    showRemaining,
    name,
    order: readSort(values.sort),
  };
}

function readSort(text: string | undefined): RunOrder | undefined {
  if (!text) return undefined;
  const order = readRunOrder(text);
  if (order) return isDefaultOrder(order) ? undefined : order;
  const known = RUN_ORDER_FIELDS.join(", ");
  throw badRequest(`sort: expected one of ${known}, or one of them behind a "-", got ${JSON.stringify(text)}`);
}

/** `namePrefix` is compared as a prefix unless `nameFilter` is set. */
function prefixFilter(name: string, word: string | undefined): Filters {
  return { name, nameFilter: word ? readNameFilter(word) : "Prefix" };
}

function requirements(selector: string): Requirement[] {
  return selector === "" ? [] : withBadRequest(() => parseRequirements(selector));
}

/** As in Argo's server, a negative limit means no limit. */
function readLimit(limit = 0): number {
  return Math.max(0, limit);
}

function contradiction(namespace: string, other: string): WireError {
  const [path, selector] = [namespace, other].map((value) => JSON.stringify(value));
  return badRequest(
    `'namespace' query param (${path}) and fieldselector 'metadata.namespace' (${selector}) are both specified and ` +
      "contradict each other",
  );
}

function readNameFilter(word: string | undefined): NameFilter {
  if (!word) return "Exact";
  const filter = NAME_FILTERS.find((nameFilter) => nameFilter === word);
  if (!filter) throw badRequest(`nameFilter: expected one of ${NAME_FILTERS.join(", ")}, got ${JSON.stringify(word)}`);
  return filter;
}

function nameTest(name: string, value: string, filter: NameFilter): boolean {
  switch (filter) {
    case "Exact":
      return name === value;
    case "Contains":
      return name.includes(value);
    case "Prefix":
      return name.startsWith(value);
    case "NotEquals":
      return name !== value;
  }
}

/** RFC 3339, in any time zone. */
const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

function readTime(field: string, text: string): number {
  const millis = TIME.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(millis)) throw badRequest(`${field}: expected an RFC 3339 time, got ${JSON.stringify(text)}`);
  return millis;
}

/** Returns a test whether labels match a selector and belong to this server's instance. */
export function labelTest(selector: string | undefined, instanceId: string | undefined) {
  const test = readSelector(withInstance(selector, instanceId));
  return ({ metadata }: Pick<Workflow, "metadata">) => test(metadata.labels);
}

/**
 * Adds this server's instance to a label selector.
 * @throws {WireError} if the selector is invalid by itself. The message does not contain the part that is added.
 */
export function withInstance(selector: string | undefined, instanceId: string | undefined): string {
  if (selector) readSelector(selector);
  const own = instanceId ? `${LABEL.instanceId}=${instanceId}` : `!${LABEL.instanceId}`;
  return selector ? `${selector},${own}` : own;
}

/** @throws {WireError} if a label or field selector is invalid. */
export function readSelectors(labels = "", fields = ""): void {
  withBadRequest(() => parseLabelSelector(labels));
  withBadRequest(() => parseFieldSelector(fields));
}

function readSelector(text: string) {
  return withBadRequest(() => parseLabelSelector(text));
}

function withBadRequest<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
}
