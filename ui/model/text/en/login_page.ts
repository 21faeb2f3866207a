/** Texts of the login page. */

export const loginButton = "Log in";
export const logoutButton = "Log out";
/** Links to the server's SSO provider. */
export const ssoButton = "Log in with SSO";
export const tokenField = "Service account token";
/** Describes the command that creates a token. */
export const aboutToken = <Part>(
  command: Part,
) => ["To create a token, run ", command, ". The page stores it in a cookie of this site."];
export const noLoginRequired = "This server does not require a login.";

export const noLoginNeeded = "No login required";
/** Describes how to open the page in a browser, above the command that prints the link. */
export const localServerHint = "This server runs on your machine. To get a link to this page, run:";
