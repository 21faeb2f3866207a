/**
 * The embedded cluster as seen by clients: sessions of a plain kubectl with `tiphys local`.
 *
 * - `sessions/`: commands and their output; `sessions/files/`: files that commands use
 * - `main.ts`: `deno task suite kubectl`
 * - `session.ts`: the format of a session; `run_session.ts`: runs one; `normalize_output.ts`: removes what is not
 * compared
 * - `tiphys_local.ts`: the cluster
 *
 * Sessions can be run against a real API server as well: each difference is either a bug of ours or described in
 * docs/local.md.
 */
export { normalizeOutput } from "./normalize_output.ts";
export { runSession } from "./run_session.ts";
export { type Exchange, parseSession, printSession } from "./session.ts";
