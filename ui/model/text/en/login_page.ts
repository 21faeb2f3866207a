/** Words of the way in. */

export const loginButton = "Log in";
export const logoutButton = "Log out";
/** Leads to the provider that the server sends people to. */
export const ssoButton = "With your organisation's account";
export const tokenField = "Token of a service account";
/** What comes of the command that makes a token. */
export const aboutToken = <Part>(command: Part) => [command, " prints one. It is kept in a cookie of this site."];
export const everybodyIsLetIn = "This server knows nobody by credentials: it lets everybody in.";

export const noLoginNeeded = "No login is needed here";
/** How a browser comes in, before the command that prints the link. */
export const ownMachine = "This page is of your own machine. A link lets a browser in; in a terminal:";
