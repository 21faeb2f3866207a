/** Texts of the submission of a run from a template or schedule, and of its latest runs. */
import { grouped } from "../en.ts";

// The form that submits a run, and its files

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

// The dialog that submits a run from a template

export const submitTitle = (template: string) => `Submit ${template}`;
/** Shown after a command was copied to the clipboard. */
export const isCopied = "Copied.";

// The latest runs of a template or schedule

export const noRunsYet = "No runs yet. Start one with the first button on this page.";
/** The row of bars, one for each run. */
export const durationsLabel = "Durations of the last runs, the newest on the right";
export const allLink = (total: number) => `All ${grouped(total)}`;

// A saved change, and its undo

export const saved = "Saved";
export const undone = "The change was undone";
export const undoConflict = "Somebody changed it in the meantime: nothing was undone";
