/** Texts of the settings: those of the browser, and the identity of the user on the server. */

export const heading = "Settings";
export const loading = "Loading …";
export const subjectField = "Subject";
export const emailField = "Email";
export const groupsField = "Groups";
export const issuerField = "Issuer";
export const serviceAccountField = "Service account";

/** Shown when the server does not identify users, and when the user logged in with a link. */
export const noUserIdentity = "This server does not identify its users.";
export const loggedInByLink = "You logged in with a link from a terminal of this machine, and may do everything.";

export const rightsHeading = "Your rights";
export const checkRightsButton = "Check";
export const allActions = "all actions of this page";
export const rightsUnknown = "This server does not list rights: missing rights show only when an action is refused.";

export const commandsHeading = "On the command line";
export const aboutCommands = "To use this server as yourself with tiphys or argo, run:";
export const noTokenHere =
  "Your credentials are not readable from this page. Get a token for the terminal, for example with kubectl create token.";
/** Shown instead of the token until the user reveals it. */
export const hiddenToken = "(hidden)";
export const showToken = "Show the token";
export const hideToken = "Hide the token";
export const copyCommands = "Copy with the token";
export const copied = "Copied";

export const browserHeading = "This browser";
export const loginHeading = "Your login";
export const themeField = "Theme";
export const systemTheme = "system";
export const lightTheme = "light";
export const darkTheme = "dark";
/** The height of rows. */
export const rowsField = "Rows";
export const compactRows = "compact";
export const normalRows = "normal";
export const highRows = "tall";
export const singleKeysField = "Single-letter keys";
/** The time zone and the format of times. */
export const zoneField = "Time zone";
export const computerZone = "of this computer";
export const timesField = "Times in lists";
export const relativeTimes = "relative";
export const isoTimes = "ISO 8601";
export const timesExample = (inLists: string, elsewhere: string) =>
  inLists === elsewhere ? `Three minutes ago: ${inLists}` : `Three minutes ago: ${inLists}, or ${elsewhere}`;
