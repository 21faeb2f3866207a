/** Texts that all pages about events share. */

export const heading = "Events";
/** Selects the flow, or the list of one kind of object. */
export const kindsLabel = "Kinds";
export const flowTab = "Flow";
export const bindingsTab = "Bindings";
export const sourcesTab = "Event sources";
export const sensorsTab = "Sensors";
export const aboutBindings =
  "A binding submits a template for each event that is posted to the API and that its selector matches.";
/** Shown when the address names an object that does not exist. */
export const objectNotFound = (name: string) => `${name} was not found: it was deleted, or is in another namespace.`;
