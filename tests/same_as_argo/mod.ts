/**
 * Small workflows of every kind, and how each ended in Argo Workflows 4.1.2: what they say in their status, but for times
 * and places. The real controller runs them over the embedded API, and must come to the same.
 *
 * - `cases/`: the workflows; a line `# at NODE=PHASE: stop NAME` is what a person does meanwhile (`stop`, `terminate`, `resume`)
 * - `recorded.json`: their outcomes, one line each; `outcome.ts`: what an outcome is; `known.txt`: what differs, and why it may (`known.ts` reads it)
 * - `pod_kubelet.ts`: what becomes of their pods
 *
 * A difference that is not in `known.txt` is a mistake until somebody writes down why it is better.
 */
export { differences, outcomeOf } from "./outcome.ts";
export { startPodKubelet } from "./pod_kubelet.ts";
