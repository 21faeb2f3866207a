/** Links that an installation configures: addresses of other programs with placeholders for fields of runs and pods. */
import type { Workflow } from "@tiphys/model/api";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { LinkSetting } from "../api/source.ts";

/** A link with its final address. */
export interface FilledLink {
  readonly name: string;
  readonly href: string;
  readonly target: string | undefined;
}

/** The object of a link: the run, or one of its pods. */
interface Subject {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
  /** The run of a pod. */
  readonly workflow?: Workflow | undefined;
}

/** Returns the links of a scope for a run. */
export function runLinks(links: readonly LinkSetting[], scope: string, run: Workflow, now: number): FilledLink[] {
  return fillLinks(links, scope, {
    metadata: fieldsOf(run.metadata),
    status: withEpochTimes(run.status?.startedAt, run.status?.finishedAt, now, fieldsOf(run.status)),
    workflow: run,
  });
}

/** Returns the links of a scope for a pod of a run, with its namespace, its name, and the times of its node. */
export function podLinks(
  links: readonly LinkSetting[],
  scope: string,
  { run, podName, node, now }: {
    readonly run: Workflow;
    readonly podName: string;
    readonly node: { readonly startedAt?: string | undefined; readonly finishedAt?: string | undefined };
    readonly now: number;
  },
): FilledLink[] {
  const metadata = { namespace: run.metadata.namespace, name: podName };
  return fillLinks(links, scope, {
    metadata,
    status: withEpochTimes(node.startedAt, node.finishedAt, now, fieldsOf(node)),
    workflow: run,
  });
}

/** Returns the links of a scope for an object without a status, such as an event source. */
export function objectLinks(links: readonly LinkSetting[], scope: string, metadata: object): FilledLink[] {
  return fillLinks(links, scope, { metadata: fieldsOf(metadata), status: {} });
}

/** Returns the links of a scope without an object. */
export function plainLinks(links: readonly LinkSetting[], scope: string): FilledLink[] {
  return fillLinks(links, scope, { metadata: {}, status: {} });
}

/** Adds times in milliseconds since the epoch. A run or pod that has not finished ends now. */
function withEpochTimes(
  startedAt: string | undefined,
  finishedAt: string | undefined,
  now: number,
  status: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const started = Date.parse(startedAt ?? "");
  const finished = Date.parse(finishedAt ?? "");
  return {
    ...status,
    ...(Number.isNaN(started) ? {} : { startedAtEpoch: started }),
    finishedAtEpoch: Number.isNaN(finished) ? now : finished,
  };
}

function fillLinks(links: readonly LinkSetting[], scope: string, subject: Subject): FilledLink[] {
  return links.filter((link) => link.scope === scope).flatMap(({ name, url, target }) => {
    const text = url.replaceAll(
      /\$\{([^{}]{1,200})\}/g,
      (_, path: string) => encodeURIComponent(valueAt(subject, path).toWellFormed()),
    );
    const href = URL.parse(text, "http://relative.invalid/");
    // The server already removes protocols that the operator did not allow; scripts are never allowed.
    if (!href || href.protocol === "javascript:" || href.protocol === "data:") return [];
    return [{ name, href: text, target }];
  });
}

/** Returns the value at a path such as `metadata.labels.app.kubernetes.io/name`, whose keys may contain dots. */
function valueAt(subject: unknown, path: string): string {
  const fields = fieldsOf(subject);
  if (Object.hasOwn(fields, path)) {
    const value = fields[path];
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
  }
  const dot = path.indexOf(".");
  const key = path.slice(0, dot);
  return dot > 0 && Object.hasOwn(fields, key) ? valueAt(fields[key], path.slice(dot + 1)) : "";
}
