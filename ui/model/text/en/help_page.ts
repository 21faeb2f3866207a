/** Words of the help. */

export const heading = "Help";

export const keysHeading = "Keys";
export const searchAction = "Search, or do something; ⌘ K on a Mac";
export const listKeysHeading = "In the list of runs";
export const walkAction = "The next run, and the one before";
export const selectAction = "Select the run, or not";
export const lookAction = "Look at the run";
export const findAction = "Find runs";
export const newRunAction = "New run";
export const runKeysHeading = "On the page of a run";
export const youLink = "You";
/** Where keys are switched off; the link leads to the settings. */
export const singleLetters = <Part>(you: Part) => [
  "Single letters can be switched off below ",
  you,
  "; they never act while you type.",
];

export const filtersHeading = "Filters of runs";
/** The filters, each with an example. */
export const aboutFilters = <Part>(ofPhases: Part, ofLabels: Part) => [
  ofPhases,
  ", ",
  ofLabels,
  ", and any other word is a part of the name. Each filter stands in the address, so a bookmark keeps them.",
];

export const commandsHeading = "On the command line";
export const pluginsHeading = "Plugins";
/** Where plugins are found, before the command that lists them. */
export const aboutPlugins = "Each executor plugin is a ConfigMap, of the controller's namespace or of the run's:";
export const programsHeading = "By programs";
export const apiLink = "The API";
export const aboutApi = <Part>(api: Part) => [
  api,
  ": its routes, with the rights that each needs, what it takes and what it answers.",
];
