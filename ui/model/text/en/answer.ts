/** Texts of the panel at the top of a run: its failure, the nodes in progress, or its outputs. */
import { grouped, plural } from "../en.ts";

export const failureLabel = (node: string) => `Failure of ${node}`;
export const openLogLink = "Open the log";
export const resubmitButton = "Edit and resubmit…";

/** Advice for each kind of cause. */
export const advice = {
  memory: "Raise resources.limits.memory of the template, or let the step use less memory.",
  deadline: "Raise activeDeadlineSeconds or timeout of the template if the step needs more time.",
  image: "Check the name of the image, and imagePullSecrets if its registry requires a login.",
  killed: "Something outside the step killed it. The events of its pod may show the reason.",
  command: "The image has no such command. Check command, args and PATH.",
  executable: "The command is not executable. Check its file mode and the platform of the image.",
} as const;

export const progressHeading = (nodes: number) => `${grouped(nodes)} ${plural(nodes, "node", "nodes")} in progress`;
/** Heading for a run without nodes in progress. */
export const waitingHeading = "Waiting";
export const runningFor = (duration: string) => `running for ${duration}`;
export const pendingFor = (duration: string) => `pending for ${duration}`;
export const waitsFor = (reason: string) => `waits for: ${reason}`;

export const outputsHeading = "Outputs";
export const artifactsHeading = "Artifacts";
export const artifactOf = (node: string) => `from ${node}`;
