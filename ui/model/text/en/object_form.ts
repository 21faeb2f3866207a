/** Words of the forms of an object: its parameters, its metadata, and when a schedule runs. */

export const labelsHeading = "Labels";
export const annotationsHeading = "Annotations";
export const ofObject = "Its own";
export const ofRuns = "Of the runs that it makes";
export const noneYet = "None";
export const keyField = "Key";
export const valueField = "Value";
export const valueOf = (key: string) => `Value of ${key}`;
export const newKeyOf = (what: string) => `New key of ${what}`;
export const newValueOf = (what: string) => `New value of ${what}`;
export const addButton = "Add";
export const addTo = (what: string) => `Add to ${what}`;
export const removeButton = (what: string) => `Remove ${what}`;

export const noParameters = "It takes no parameters.";
export const defaultField = "Default";
export const aboutField = "About";
export const oneOfField = "One of, a line each";
export const newParameterField = "New parameter";
export const fromElsewhere = "Its value comes from elsewhere in the cluster; the manifest says from where.";

export const schedulesField = "Schedules, a line each";
export const timezoneField = "Time zone";
export const policyField = "When one still runs";
export const deadlineField = "Made up for within, in seconds";
export const succeededField = "Succeeded runs that stay";
export const failedField = "Failed runs that stay";
export const whenField = "Only when";
export const stopField = "Stops for good when";
export const suspendedField = "Suspended";
/** What stands where nothing is said. */
export const usually = (value: string) => `${value} where nothing is said`;

export const discardButton = "Discard";
export const changeCount = (count: number) => count === 1 ? "1 change" : `${count} changes`;
export const conflict = "Somebody changed it since you opened it. Nothing was saved; what you changed is still here.";
export const showTheirs = "Show it as it is now";
