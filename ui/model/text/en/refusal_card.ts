/** Texts that all refusals share: the attempt, and buttons to continue. */

export const tried = (what: string) => `Tried to ${what}.`;
export const logInButton = "Log in";
export const againButton = "Try again";
export const reloadButton = "Reload";
