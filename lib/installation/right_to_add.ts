/** The text about a permission that the caller lacks. */
import { rule } from "./preflight/needed_rights.ts";

/** Names a permission that the caller lacks, with the rule to add to the caller's role. */
export function rightToAdd(verb: string, group: string, resource: string): string {
  const added = JSON.stringify(rule(group, [resource], [verb]));
  return `you may not ${verb} ${resource}; rule to add to your role: ${added}`;
}
