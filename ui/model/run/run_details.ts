/** Details of a run beside its nodes: what it was made from, by whom, its conditions. Pure. */
import type { Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import type { Page } from "../place.ts";

/** The object that a run was made from: it has a page. */
export interface Origin {
  readonly name: string;
  readonly page: Page;
}

/** The objects that a run was made from, the most telling first. */
export function originsOf({ metadata, spec }: Workflow): readonly Origin[] {
  const { namespace = "", labels = {} } = metadata;
  const found = new Map<string, Origin>();
  const add = (name: string | undefined, page: (name: string) => Page) => {
    if (!name) return;
    const one = page(name);
    found.set(`${one.kind} ${name}`, { name, page: one });
  };
  const template = (name: string): Page => ({ kind: "template", namespace, name });
  const clusterTemplate = (name: string): Page => ({ kind: "cluster-template", name });
  add(labels[LABEL.cronWorkflow], (name) => ({ kind: "cron", namespace, name }));
  const ref = spec.workflowTemplateRef;
  add(ref?.name, ref?.clusterScope ? clusterTemplate : template);
  add(labels[LABEL.workflowTemplate], template);
  add(labels[LABEL.clusterWorkflowTemplate], clusterTemplate);
  add(
    labels[LABEL.workflowEventBinding],
    (name) => ({ kind: "events", list: "workflow-event-bindings", namespace, name }),
  );
  add(labels[LABEL.resubmittedFrom], (name) => ({ kind: "run", namespace, name }));
  return [...found.values()];
}

/** Whoever made a run, by the name that says most. */
export function creatorOf({ metadata: { labels = {} } }: Pick<Workflow, "metadata">): string | undefined {
  return personIn(labels, [LABEL.creatorPreferredUsername, LABEL.creatorEmail, LABEL.creator]);
}

/** Whoever changed a run last, and what they did, where that is known. */
export function actorOf({ metadata: { labels = {} } }: Pick<Workflow, "metadata">): string | undefined {
  const person = personIn(labels, [LABEL.actorPreferredUsername, LABEL.actorEmail, LABEL.actor]);
  const action = labels[LABEL.action];
  return person && action ? `${person} (${action})` : person;
}

/** Labels have no `@`: a server writes `.at.`. */
function personIn(labels: Readonly<Record<string, string>>, names: readonly string[]): string | undefined {
  const name = names.find((one) => labels[one]);
  const value = name && labels[name];
  return value && name?.endsWith("email") ? value.replace(".at.", "@") : value || undefined;
}

/** A condition that somebody has to know of. */
export interface Trouble {
  readonly type: string;
  readonly message: string;
  readonly isError: boolean;
}

/** Conditions that say how far a run is, as its phase does. */
const STATES: ReadonlySet<string> = new Set(["PodRunning", "Completed"]);

/** The conditions of a run that tell of trouble: warnings of its spec, and what went wrong beside its nodes. */
export function troublesOf({ status }: Pick<Workflow, "status">): readonly Trouble[] {
  return (status?.conditions ?? []).flatMap(({ type = "", status, message = "" }) =>
    status !== "True" || STATES.has(type) ? [] : [{ type, message, isError: type.endsWith("Error") }]
  );
}
