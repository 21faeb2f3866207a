/** Words of the form that submits a run, and of its files. */

export const entrypointField = "Entrypoint";
export const noParameters = "This needs no parameters.";
export const submittingButton = "Submitting…";
export const dryRunButton = "Dry run";
export const commandButton = "Copy as command";

export const missingFile = "A file is needed.";
export const optionalFile = "Without a file, the template's own is taken.";
export const neededFile = "Choose a file, or drop it.";
export const leaveOutButton = "Leave it out";
export const uploading = (file: string) => `Uploading ${file} …`;
export const uploaded = (file: string) => `${file} is uploaded.`;
export const uploadRefused = (file: string, reason: string) =>
  `${file} was refused: ${reason}. Nothing is submitted until another is there.`;
