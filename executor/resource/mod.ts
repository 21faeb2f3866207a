/**
 * Resource templates: the operations of `kubectl` with the project's own client.
 * - resource.ts: the command
 * - flags.ts, manifest.ts: the input; discovery.ts, targets.ts: the objects that it refers to
 * - perform.ts: the actions; apply.ts and delete.ts: those that need several requests; kubectl_message.ts: errors
 * - versions_of.ts, until_conditions.ts: waiting; output_parameters.ts, jq.ts: outputs
 * Imported only for `argoexec resource`.
 */
export { resource } from "./resource.ts";
