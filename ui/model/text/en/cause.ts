/** Texts of the causes of a node's failure. */

export const outOfMemory = (limit: string | undefined) => `killed: out of memory${limit ? `, limit ${limit}` : ""}`;
export const timedOut = (limit: string | undefined) => `timed out${limit ? ` after ${limit}` : ""}`;
export const imageMissing = (image: string | undefined) => `the image ${image ? `${image} ` : ""}cannot be pulled`;
export const commandMissing = (command: string) => `command ${command} not found`;
export const killed = "killed (exit code 137)";
/** Used when the message of the workflow names its failed step by ID only, or by name only. */
export const stepFailed = "a step failed";
export const failedStep = (step: string) => `${step} failed`;
/** An exit code and the message of the command. */
export const exited = (code: string, rest: string) => `exit code ${code}${rest ? `: ${rest}` : ""}`;
