/** Links of an installation: addresses of other programs, filled with what is known of a run and of a pod. */
import type { Workflow } from "@tiphys/model/api";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { LinkSetting } from "../api/source.ts";

/** A link that can be followed. */
export interface FilledLink {
  readonly name: string;
  readonly href: string;
  readonly target: string | undefined;
}

/** The subject of a link: the run, or a pod of it. */
interface Subject {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
  /** The run that a pod belongs to. */
  readonly workflow?: Workflow | undefined;
}

/** The links of a scope about a run. */
export function runLinks(links: readonly LinkSetting[], scope: string, run: Workflow, now: number): FilledLink[] {
  return filledLinks(links, scope, {
    metadata: fieldsOf(run.metadata),
    status: withEpochs(run.status?.startedAt, run.status?.finishedAt, now, fieldsOf(run.status)),
    workflow: run,
  });
}

/** The links of a scope about a pod of a run; a pod has the namespace, the name, and the times of its node. */
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
  return filledLinks(links, scope, {
    metadata,
    status: withEpochs(node.startedAt, node.finishedAt, now, fieldsOf(node)),
    workflow: run,
  });
}

/** The links of a scope about an object that has no state of its own, such as an event source. */
export function objectLinks(links: readonly LinkSetting[], scope: string, metadata: object): FilledLink[] {
  return filledLinks(links, scope, { metadata: fieldsOf(metadata), status: {} });
}

/** The links of a scope that are about nothing in particular. */
export function plainLinks(links: readonly LinkSetting[], scope: string): FilledLink[] {
  return filledLinks(links, scope, { metadata: {}, status: {} });
}

/** Times in milliseconds since 1970; what is not over ends now. */
function withEpochs(
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

function filledLinks(links: readonly LinkSetting[], scope: string, subject: Subject): FilledLink[] {
  return links.filter((link) => link.scope === scope).flatMap(({ name, url, target }) => {
    const text = url.replaceAll(
      /\$\{([^{}]{1,200})\}/g,
      (_, path: string) => encodeURIComponent(valueAt(subject, path).toWellFormed()),
    );
    const href = URL.parse(text, "http://relative.invalid/");
    // The server leaves out protocols that the operators did not allow; a script is none that anybody may.
    if (!href || href.protocol === "javascript:" || href.protocol === "data:") return [];
    return [{ name, href: text, target }];
  });
}

/** The value of a path such as `metadata.labels.app.kubernetes.io/name`: keys may have dots in them. */
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
