/**
 * Small workflows of every kind, and their outcome in Argo Workflows 4.1.2: their status without times and places. The
 * real controller runs them over the embedded API, and must have the same outcomes.
 *
 * - `cases/`: the workflows; a line `# at NODE=PHASE: stop NAME` is a user's action (`stop`, `terminate`, `resume`)
 * - `recorded.json`: their outcomes, one line each; `outcome.ts`: the content of an outcome; `known.txt`: accepted
 *   differences with reasons (`known.ts` parses it)
 * - `pod_kubelet.ts`: the results of their pods
 *
 * A difference that is not in `known.txt` is a bug, unless it is documented there why it is better.
 */
export { differences, outcomeOf } from "./outcome.ts";
export { startPodKubelet } from "./pod_kubelet.ts";
