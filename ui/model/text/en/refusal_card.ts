/** Texts that all refusals share: the attempt, and buttons to continue. */

export const attemptText = (what: string) => `Tried to ${what}.`;
export const logInButton = "Log in";
export const retryButton = "Try again";
export const reloadButton = "Reload";
