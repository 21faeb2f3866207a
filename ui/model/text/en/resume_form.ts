/** Texts of the form of a node that waits for a person, and of the dialog that resumes a run. */
import { grouped, plural } from "../en.ts";

export const formLabel = (node: string) => `${node} waits for you`;
export const useDefaultButton = "Use the default";
export const resumeButton = "Resume this node";
export const resumingButton = "Resuming…";

export const dialogTitle = (name: string) => `Resume ${name}?`;
export const resumeRunButton = "Resume";
export const stepsContinue = (steps: number) =>
  `${grouped(steps)} waiting ${plural(steps, "step continues", "steps continue")}.`;
export const runContinues = "The workflow starts new steps again.";
export const noStepWaits = "No step of this workflow is waiting any longer. Close this dialog to see the run.";
export const noAnswerNeeded = "No value is required.";
