/**
 * The embedded cluster as others see it: sessions of a plain kubectl with `tiphys local`.
 *
 * - `sessions/`: what is typed and what is said; `sessions/files/`: what commands name
 * - `main.ts`: `deno task suite kubectl`
 * - `session.ts`: how a session is written down; `run_session.ts`: running one; `normalise_output.ts`: what is not compared
 * - `tiphys_local.ts`: the cluster
 *
 * Sessions may be run against a real API server as well: what that says otherwise is either a mistake of ours or a
 * difference that docs/local.md tells of.
 */
export { normaliseOutput } from "./normalise_output.ts";
export { runSession } from "./run_session.ts";
export { type Exchange, parseSession, printSession } from "./session.ts";
