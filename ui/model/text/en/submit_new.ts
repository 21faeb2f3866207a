/** Texts of the form of a new run. */

/** The manifests that the form of a new run starts with. */
export const startField = "Start with";
export const starts = { hello: "hello-world", steps: "Steps", dag: "DAG", loop: "Loop", blank: "Blank" } as const;
export const startWouldReplace = "Another start would replace your text.";
/** Opens the form of a template instead. */
export const templateField = "or submit a template";
export const chooseTemplate = "choose one";
export const fromTemplateLink = "Submit a template instead";
/** The name of the editor of a new run. */
export const manifestLabel = "Manifest of the run";
