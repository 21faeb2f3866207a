/** Texts of the form that submits a run, and of its files. */

export const entrypointField = "Entrypoint";
export const noParameters = "No parameters.";
/** Explains the mark behind the names of fields. */
export const requiredLegend = "* Required";
export const submittingButton = "Submitting…";
export const dryRunButton = "Dry run";
export const commandButton = "Copy as command";

export const missingFile = "A file is required.";
export const optionalFile = "Without a file, the template's default is used.";
export const neededFile = "Choose a file, or drop it here.";
export const leaveOutButton = "Remove";
export const uploading = (file: string) => `Uploading ${file} …`;
export const uploaded = (file: string) => `Uploaded ${file}.`;
export const uploadRefused = (file: string, reason: string) =>
  `${file} was refused: ${reason}. Choose another file to submit the run.`;
