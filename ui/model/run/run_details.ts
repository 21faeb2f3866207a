/** Details of a run other than its nodes: its source, its creator, its conditions. Pure. */
import type { Parameter, Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import type { Page } from "../place.ts";

/** An object with a page from which a run was created. */
export interface Origin {
  readonly name: string;
  readonly page: Page;
}

/** Returns the sources of a run, most specific first. */
export function originsOf({ metadata, spec }: Workflow): readonly Origin[] {
  const { namespace = "", labels = {} } = metadata;
  const found = new Map<string, Origin>();
  const add = (name: string | undefined, page: (name: string) => Page) => {
    if (!name) return;
    const known = page(name);
    found.set(`${known.kind} ${name}`, { name, page: known });
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

/** Returns the creator of a run, by the most readable name. */
export function creatorOf({ metadata: { labels = {} } }: Pick<Workflow, "metadata">): string | undefined {
  return personIn(labels, [LABEL.creatorPreferredUsername, LABEL.creatorEmail, LABEL.creator]);
}

/** Returns who last changed a run and how, if known. */
export function actorOf({ metadata: { labels = {} } }: Pick<Workflow, "metadata">): string | undefined {
  const person = personIn(labels, [LABEL.actorPreferredUsername, LABEL.actorEmail, LABEL.actor]);
  const action = labels[LABEL.action];
  return person && action ? `${person} (${action})` : person;
}

/** Labels cannot contain `@`: servers write `.at.`. */
function personIn(labels: Readonly<Record<string, string>>, names: readonly string[]): string | undefined {
  const name = names.find((candidate) => labels[candidate]);
  const value = name && labels[name];
  return value && name?.endsWith("email") ? value.replace(".at.", "@") : value || undefined;
}

/** Returns the output parameters of the entrypoint, with its result, and then the other global ones. */
export function outputParametersOf({ metadata, status = {} }: Workflow): readonly Parameter[] {
  const { parameters = [], result } = status.nodes?.[metadata.name ?? ""]?.outputs ?? {};
  const own: readonly Parameter[] = [
    ...parameters,
    ...(result === undefined ? [] : [{ name: "result", value: result }]),
  ];
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...(status.outputs?.parameters ?? []).filter(({ name }) => !names.has(name))];
}

/** A condition that users should know. */
export interface ReportedCondition {
  readonly type: string;
  readonly message: string;
  readonly isError: boolean;
}

/** Conditions that reflect the progress of a run, like its phase. */
const STATES: ReadonlySet<string> = new Set(["PodRunning", "Completed"]);

/** Returns the conditions that report problems: warnings about the spec, and errors outside nodes. */
export function reportedConditionsOf({ status }: Pick<Workflow, "status">): readonly ReportedCondition[] {
  return (status?.conditions ?? []).flatMap(({ type = "", status, message = "" }) =>
    status !== "True" || STATES.has(type) ? [] : [{ type, message, isError: type.endsWith("Error") }]
  );
}
