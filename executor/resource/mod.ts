/**
 * Resource templates: what `kubectl` would do, done with the project's own client.
 *
 * - resource.ts: the command
 * - flags.ts, manifest.ts: what the template says; discovery.ts, targets.ts: which objects that means
 * - perform.ts: the actions; apply.ts and delete.ts: those that are more than a request; kubectl_message.ts: refusals
 * - versions_of.ts, until_conditions.ts: waiting; output_parameters.ts, jq.ts: what is handed out
 *
 * Loaded only for `argoexec resource`.
 */
export { resource } from "./resource.ts";
