/** Texts of the help page. */

export const heading = "Help";
export const documentation = "Documentation";

/** Shown when the server offers Argo's API only. */
export const serverHeading = "This server";
export const aboutServer = "This server is an Argo server, which offers Argo's API only. Limitations:";
export const argoServerLimitations = [
  "orders other than by start apply to each page of the list of runs only",
  "the reason for a wait is derived from the run alone",
  "missing rights show only when an action is refused",
  "bars of the timeline do not show how long saving outputs took",
  "a retry does not notice changes of the run since the preview",
  "archived logs are read file by file, without timestamps",
  "the first rows of a large Parquet file require reading the whole file",
] as const;

export const keysHeading = "Keys";
export const searchAction = "Search, or run an action; ⌘ K on a Mac";
export const listKeysHeading = "In the list of runs";
export const nextPreviousAction = "Next and previous run";
export const selectAction = "Select or deselect the run";
export const showDetailsAction = "Show details of the run";
export const findAction = "Find runs";
export const newRunAction = "New run";
export const runKeysHeading = "On the page of a run";
export const youLink = "Settings";
/** Describes where to turn off single-letter keys; `you` links to the settings. */
export const singleLetters = <Part>(you: Part) => [
  "To turn off single-letter keys, go to ",
  you,
  ". They never act while you type.",
];

export const filtersHeading = "Filters of runs";
/** Lists the filters, each with an example. */
export const aboutFilters = <Part>(ofPhases: Part, ofLabels: Part) => [
  ofPhases,
  ", ",
  ofLabels,
  ", and any other word as part of the name. Filters are part of the address, so you can bookmark them.",
];

export const commandsHeading = "On the command line";
export const pluginsHeading = "Plugins";
/** Describes where plugins are configured, above the command that lists them. */
export const aboutPlugins = "Each executor plugin is a ConfigMap in the namespace of the controller or of the run:";
export const programsHeading = "For programs";
export const apiLink = "The API";
export const aboutApi = <Part>(api: Part) => [
  api,
  ": its routes, with their rights, parameters and responses.",
];
