/** Words of the help. */

export const heading = "Help";
export const documentation = "Documentation";

/** What is said before a server that has nothing beyond Argo's API. */
export const serverHeading = "This server";
export const aboutServer = "The page stands before a server of Argo's, which has all of Argo's API and no more. There:";
export const lackingThere = [
  "each window of the list of runs is put in order by itself, other than by start",
  "why something waits is worked out from the run alone",
  "what you may not do is told by the refusal, not before",
  "bars of the timeline do not say how long outputs were saved",
  "a retry does not notice that the run has changed since its plan",
  "logs that lie in the store are read file by file, without times",
  "all of a large Parquet file is read for its first rows",
] as const;

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
