/** Says whether the output of a script is wanted by anyone, and so must be captured. */

/** What is read of the template that calls. */
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
  const text = JSON.stringify(template);
  return text.includes(`${root}.${name}.outputs.result`) || text.includes(`${root}['${name}'].outputs.result`);
}
