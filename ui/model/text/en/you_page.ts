/** Words of the page about the person: who they are to the server, and the settings of their browser. */

export const heading = "You";
export const asking = "Asking the server …";
export const subjectField = "Subject";
export const emailField = "Email";
export const groupsField = "Groups";
export const issuerField = "Issuer";
export const serviceAccountField = "Service account";

/** Before a server that lets everybody in, and to who came by a link of a terminal. */
export const nobodyByName = "This server lets you in without a name.";
export const byLink = "You came by the link of a terminal on this machine, and may do everything there.";

export const mayDoHeading = "What you may do";
export const askRights = "Ask";
export const everything = "everything that this page does";
export const rightsNotTold = "What you may do this server tells only by refusing.";

export const commandsHeading = "On the command line";
export const aboutCommands = "With these lines a terminal asks this server as you, by tiphys or argo:";
export const noTokenHere =
  "Your credentials lie where no script reads them, or there are none: a terminal takes a token of its own, as kubectl create token prints one.";
/** In the place of the token until it is asked for. */
export const hiddenToken = "(hidden)";
export const showToken = "Show the token";
export const hideToken = "Hide the token";
export const copyCommands = "Copy with the token";
export const copied = "Copied";

export const settingsHeading = "Settings of this browser";
export const themeField = "Theme";
export const systemTheme = "as the system";
export const lightTheme = "light";
export const darkTheme = "dark";
/** The height of rows. */
export const rowsField = "Rows";
export const lowRows = "low";
export const usualRows = "usual";
export const highRows = "high";
export const singleKeysField = "Single letters are keys";
/** The zone and the form of times. */
export const zoneField = "Zone of times";
export const ownZone = "as this computer";
export const timesField = "Times in lists";
export const relativeTimes = "seen from now";
export const isoTimes = "as ISO 8601";
export const timesExample = (inLists: string, elsewhere: string) =>
  inLists === elsewhere ? `Three minutes ago: ${inLists}` : `Three minutes ago: ${inLists}, or ${elsewhere}`;
