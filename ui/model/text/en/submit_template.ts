/** Words of the dialog that submits a run from a template. */

export const title = (template: string) => `Submit ${template}`;
/** Said of a line of the command line that was put into the clipboard. */
export const isCopied = "Copied.";
