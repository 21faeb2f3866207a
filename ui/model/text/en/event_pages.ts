/** Words that all pages of events share. */

export const heading = "Events";
/** The choice between the flow and the lists of what it is made of. */
export const kindsLabel = "Kinds";
export const flowTab = "Flow";
export const bindingsTab = "Bindings";
export const sourcesTab = "Event sources";
export const sensorsTab = "Sensors";
export const aboutBindings =
  "A binding submits a template for each event that is posted to the API and that its selector matches.";
/** Said of an object that an address names. */
export const isNotHere = (name: string) => `There is no ${name} here: it was deleted, or lies in another namespace.`;
