/** Texts of the empty list of runs. */

export const noMatches = "No run matches these filters";
export const removeFilters = "Remove some or all filters.";
export const noRunsYet = "No runs yet";
/** Describes runs, above a command that starts one. */
export const aboutRuns =
  "A run executes the steps of a workflow, each in a container. Start one here, or in a terminal:";
/** Starts an example. */
export const helloWorldButton = "Run hello-world";
