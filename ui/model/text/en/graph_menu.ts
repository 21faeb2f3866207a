/** Texts of the menu that selects parts of a graph, and of its filters. */

export const menuButton = "Parts";
export const artifactsChoice = "Artifacts";
export const groupsChoice = "One part for each template";
export const phasesHeading = "Phases";
export const typesHeading = "Types";
export const templatesHeading = "Templates";
export const allButton = "Show all";

export const chipsLabel = "Parts that are shown";
export const phasesFilter = "phases";
export const typesFilter = "types";
export const templatesFilter = "templates";
export const textFilter = "text";
export const chip = (filter: string, values: string) => `${filter}: ${values}`;
export const removeButton = (filter: string, values: string) => `Remove the filter ${filter}: ${values}`;
