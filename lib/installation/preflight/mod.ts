/**
 * The preflight: findings about the takeover of an installed Argo, and about the permissions that the controller needs.
 */
export type { CheckName, Finding, Severity } from "./finding.ts";
export {
  CLUSTER_RULES,
  CONTROLLER_RULES,
  ELECTION_RULES,
  missingRules,
  type OptionalRight,
  optionalRight,
  type Rule,
  rule,
} from "./needed_rights.ts";
export { preflight, type PreflightOptions } from "./preflight.ts";
