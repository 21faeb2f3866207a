/** Reports whether the output of a script is used by its caller and must be captured. */

/** The fields of the calling template that this module reads. */
export interface CallingTemplate {
  readonly dag?: unknown;
  readonly steps?: unknown;
}

/**
 * Reports whether a steps or DAG template uses the `outputs.result` of its step or task: `steps.a.outputs.result` or
 * `steps['a'].outputs.result` anywhere in it. A reference that an expression computes or that uses double quotes is not
 * found, as in Argo Workflows.
 */
export function usesResultOf(name: string, template: CallingTemplate): boolean {
  const root = template.dag ? "tasks" : template.steps ? "steps" : "";
  const text = textOf(template);
  return text.includes(`${root}.${name}.outputs.result`) || text.includes(`${root}['${name}'].outputs.result`);
}

/**
 * Serialized templates that contain a reference to a result; the empty string for other templates. Cached, because a
 * large template is checked for each of its tasks.
 */
const texts = new WeakMap<CallingTemplate, string>();

function textOf(template: CallingTemplate): string {
  let text = texts.get(template);
  if (text === undefined) {
    text = JSON.stringify(template);
    texts.set(template, text = text.includes("outputs.result") ? text : "");
  }
  return text;
}
