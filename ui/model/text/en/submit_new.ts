/** Texts of the form of a new run. */

/** The manifests that the form of a new run starts with. */
export const startField = "Start with";
export const starts = { hello: "hello-world", steps: "Steps", dag: "DAG", loop: "Loop", blank: "Blank" } as const;
export const startWouldReplace = "Another start would replace your text.";
export const fromTemplateLink = "Submit a template instead";
/** The name of the editor of a new run. */
export const manifestLabel = "Manifest of the run";
