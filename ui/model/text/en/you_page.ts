/** Words of the page about the person: who they are to the server, and the settings of their browser. */

export const heading = "You";
export const asking = "Asking the server …";
export const subjectField = "Subject";
export const emailField = "Email";
export const groupsField = "Groups";
export const issuerField = "Issuer";
export const serviceAccountField = "Service account";

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
