/** Texts of the dialog that submits a run from a template. */

export const title = (template: string) => `Submit ${template}`;
/** Shown after a command was copied to the clipboard. */
export const isCopied = "Copied.";
