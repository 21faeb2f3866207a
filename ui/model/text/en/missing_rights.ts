/** Texts of missing rights. */

/** The missing rights, in the terms of RBAC rules. */
export const missingRights = (rights: readonly string[]) => `You lack the right to ${rights.join(" and to ")}`;
/** The same as a line after the buttons that it disables. */
export const missingRightsOfButtons = (buttons: readonly string[], lack: string) =>
  `${buttons.join(", ")}: ${lack.charAt(0).toLowerCase()}${lack.slice(1)}.`;
