/** Words of the rights that somebody lacks. */

/** The rights, as rules of a role name them. */
export const lacking = (rights: readonly string[]) => `You lack the right to ${rights.join(" and to ")}`;
/** The same as a line behind the buttons that it keeps off. */
export const lackingFor = (buttons: readonly string[], lack: string) =>
  `${buttons.join(", ")}: ${lack.charAt(0).toLowerCase()}${lack.slice(1)}.`;
