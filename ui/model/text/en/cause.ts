/** Words of the cause of a node's failure, and of what to do about it. */

export const outOfMemory = (limit: string | undefined) => `killed: out of memory${limit ? `, limit ${limit}` : ""}`;
export const timedOut = (limit: string | undefined) => `timed out${limit ? ` after ${limit}` : ""}`;
export const imageMissing = (image: string | undefined) => `the image ${image ? `${image} ` : ""}cannot be pulled`;
export const killed = "killed (exit code 137)";
/** A workflow whose message names its failed step by ID only, or by name only. */
export const stepFailed = "a step failed";
export const failedStep = (step: string) => `${step} failed`;
/** An exit code, with what the command reported. */
export const exited = (code: string, rest: string) => `exit code ${code}${rest ? `: ${rest}` : ""}`;

export const raiseMemory = "Raise resources.limits.memory of the template, or let the step use less memory.";
export const raiseDeadline = "Raise activeDeadlineSeconds or timeout of the template if the step needs more time.";
export const checkImage = "Check the name of the image, and imagePullSecrets if its registry requires a login.";
export const checkKiller = "Something outside the step killed it. The events of its pod may show the reason.";
export const checkCommand = "The image has no such command. Check command, args and PATH.";
export const checkExecutable = "The command is not executable. Check its file mode and the platform of the image.";
