/** Says whether the output of a script is wanted by anyone, and so must be captured. */

/** The fields of the calling template that are read here. */
export interface CallingTemplate {
  readonly dag?: unknown;
  readonly steps?: unknown;
}

/**
 * Says whether a steps or DAG template uses the `outputs.result` of its step or task: `steps.a.outputs.result` or
 * `steps['a'].outputs.result` anywhere in it. A reference that is put together in an expression is not seen, nor is one
 * in double quotes, as in the peer.
 */
export function usesResultOf(name: string, template: CallingTemplate): boolean {
  const root = template.dag ? "tasks" : template.steps ? "steps" : "";
  const text = textOf(template);
  return text.includes(`${root}.${name}.outputs.result`) || text.includes(`${root}['${name}'].outputs.result`);
}

/** Templates that name some result, written out; the others as an empty text. A large one is asked for each of its tasks. */
const texts = new WeakMap<CallingTemplate, string>();

function textOf(template: CallingTemplate): string {
  let text = texts.get(template);
  if (text === undefined) {
    text = JSON.stringify(template);
    texts.set(template, text = text.includes("outputs.result") ? text : "");
  }
  return text;
}
