/** Texts of the login page. */

export const loginButton = "Log in";
export const logoutButton = "Log out";
/** Links to the server's SSO provider. */
export const ssoButton = "Log in with SSO";
export const tokenField = "Token of a service account";
/** Describes the command that creates a token. */
export const aboutToken = <Part>(command: Part) => [command, " prints one. It is stored in a cookie of this site."];
export const noLoginRequired = "This server does not require a login.";

export const noLoginNeeded = "No login is needed here";
/** Describes how to open the page in a browser, above the command that prints the link. */
export const localServerHint = "This server runs on your machine. To open it in a browser, get a link in a terminal:";
