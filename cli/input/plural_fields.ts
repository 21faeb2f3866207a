/**
 * Replaces deprecated fields: `schedule`, `mutex` and `semaphore` become entries of `schedules`, `mutexes` and
 * `semaphores`.
 */
import type { Json } from "@tiphys/model/api";
import { isObject } from "@tiphys/base/fields_of";

type Fields = { readonly [key: string]: Json };

/**
 * Returns an object without deprecated fields. The items of a List are converted too; objects of other kinds are
 * unchanged.
 */
export function withPluralFields(object: Json): Json {
  if (!isObject(object)) return object;
  if (object.kind === "List" && Array.isArray(object.items)) {
    return { ...object, items: object.items.map(withPluralFields) };
  }
  if (!`${object.apiVersion ?? ""}`.startsWith("argoproj.io/") || !isObject(object.spec)) return object;
  switch (object.kind) {
    case "CronWorkflow":
      return { ...object, spec: cronSpec(object.spec) };
    case "Workflow":
    case "WorkflowTemplate":
    case "ClusterWorkflowTemplate":
      return { ...object, spec: workflowSpec(object.spec) };
    default:
      return object;
  }
}

/** Converts the spec of a CronWorkflow. If both are set, `schedule` takes precedence and replaces `schedules`. */
function cronSpec({ schedule, ...spec }: Fields): Fields {
  return {
    ...spec,
    ...(schedule ? { schedules: [schedule] } : {}),
    ...(isObject(spec.workflowSpec) ? { workflowSpec: workflowSpec(spec.workflowSpec) } : {}),
  };
}

function workflowSpec(spec: Fields): Fields {
  return {
    ...withPluralLocks(spec),
    ...(Array.isArray(spec.templates) ? { templates: spec.templates.map(templateWithPlurals) } : {}),
    ...(isObject(spec.templateDefaults) ? { templateDefaults: templateWithPlurals(spec.templateDefaults) } : {}),
  };
}

function templateWithPlurals(value: Json): Json {
  if (!isObject(value)) return value;
  const { steps, dag } = value;
  return {
    ...withPluralLocks(value),
    ...(Array.isArray(steps)
      ? { steps: steps.map((group) => Array.isArray(group) ? group.map(callWithPlurals) : group) }
      : {}),
    ...(isObject(dag) && Array.isArray(dag.tasks) ? { dag: { ...dag, tasks: dag.tasks.map(callWithPlurals) } } : {}),
  };
}

/** Converts a step or task, which may have an inline template. */
function callWithPlurals(value: Json): Json {
  return isObject(value) && isObject(value.inline) ? { ...value, inline: templateWithPlurals(value.inline) } : value;
}

function withPluralLocks(holder: Fields): Fields {
  if (!isObject(holder.synchronization)) return holder;
  const { mutex, semaphore, ...locks } = holder.synchronization;
  const joined = (plural: Json | undefined, single: Json) => [...(Array.isArray(plural) ? plural : []), single];
  return {
    ...holder,
    synchronization: {
      ...locks,
      ...(mutex ? { mutexes: joined(locks.mutexes, mutex) } : {}),
      ...(semaphore ? { semaphores: joined(locks.semaphores, semaphore) } : {}),
    },
  };
}
