/** Restrictions of workflows: which fields users may set in addition to the administrator's template. */
export { identityRefusals, permittedSpec, withoutBorrowedCredentials } from "./permitted_spec.ts";
export {
  NO_REFERENCE,
  notPermitted,
  parseOverrideAllowlist,
  rejectionReason,
  type Restriction,
} from "./restriction.ts";
