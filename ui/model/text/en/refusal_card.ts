/** Words of a refusal that are the same for all: what was tried, and the ways on. */

export const tried = (what: string) => `Tried to ${what}.`;
export const logInButton = "Log in";
export const againButton = "Try again";
export const reloadButton = "Reload";
