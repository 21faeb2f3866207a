/** The restrictions of workflows: what people may set beside the template that an administrator made. */
export { identityRefusals, permittedSpec, withoutBorrowedCredentials } from "./permitted_spec.ts";
export { NO_REFERENCE, notPermitted, readOpenedOverrides, refusalOf, type Restriction } from "./restriction.ts";
