/** Texts of the forms of an object: its parameters, its metadata, and its schedule. */

export const fieldDocsLink = "Docs of these fields";
export const labelsHeading = "Labels";
export const annotationsHeading = "Annotations";
export const ofObject = "On this object";
export const ofRuns = "On its runs";
export const noneYet = "None";
export const keyField = "Key";
export const valueField = "Value";
export const valueOf = (key: string) => `Value of ${key}`;
export const newKeyOf = (subject: string) => `New key of ${subject}`;
export const newValueOf = (subject: string) => `New value of ${subject}`;
export const addButton = "Add";
export const addTo = (subject: string) => `Add to ${subject}`;
export const removeButton = (subject: string) => `Remove ${subject}`;

export const noParameters = "No parameters.";
export const defaultField = "Default";
export const aboutField = "Description";
export const oneOfField = "Allowed values, one per line";
export const newParameterField = "New parameter";
export const fromElsewhere = "The value is read from another object; see the manifest.";

export const schedulesField = "Schedules, one per line";
/** The next times of the schedules in the form, in their time zone. */
export const nextTimes = (times: readonly string[]) => `Next: ${times.join("; ")}`;
export const timezoneField = "Time zone";
export const policyField = "If a run is still active";
export const deadlineField = "Starting deadline in seconds";
export const succeededField = "Succeeded runs to keep";
export const failedField = "Failed runs to keep";
export const whenField = "Condition";
export const stopField = "Stops permanently when";
export const suspendedField = "Suspended";
/** The placeholder of an empty field: its default. */
export const defaultPlaceholder = (value: string) => `default: ${value}`;

export const discardButton = "Discard";
export const changeCount = (count: number) => count === 1 ? "1 change" : `${count} changes`;
export const conflict =
  "Somebody changed this object since you opened it. Nothing was saved; your changes are still here.";
export const showTheirs = "Show the current version";
