/** Texts of the panel of a node. */

export const panelLabel = (node: string) => `Node ${node}`;
export const closeButton = "Close the panel";
export const tabsLabel = "About the node";
export const summaryTab = "Summary";
export const whyTab = "Why";
export const inOutTab = "In/Out";
export const containersTab = "Containers";

export const phaseField = "Phase";
export const typeField = "Type";
export const templateField = "Template";
export const podField = "Pod";
export const hostField = "Host";
export const exitCodeField = "Exit code";
/** The hosts on which attempts failed. */
export const failedHostsField = "Failed on";
/** The person who resumed the node, and how long it waited. */
export const resumedByField = "Resumed by";
export const waitedField = "Waited";
/** The time that a node took so far, and its estimated duration. */
export const durationOfEstimate = (took: string, estimate: string) => `${took} of ~${estimate}`;
export const waitsForLockField = "Waits for the lock";
/** Memoized outputs, stored under a key in a config map. */
export const cacheField = "Cache";
export const cacheHit = "hit: outputs were reused from an earlier node";
export const cacheMiss = "miss: the node ran, and its outputs are cached";
export const cacheKeyField = "Cache key";
export const cacheNameField = "Cache name";
export const resourcesField = "Resources";
export const idField = "ID";
export const attemptsHeading = "Attempts";
export const attempt = (number: number) => `Attempt ${number}`;

/** The beginning of the server's text for a wait that ends by itself. */
const NO_ACTION = "no action needed";

export const loadingReasons = "Loading …";
export const hasFinished = "It has finished.";
export const noReasonKnown = "No reason for the wait is known. The events of the node may show more.";
/** The event or the action of the user that ends the wait. */
export const unblockedBy = (subject: string) =>
  subject.startsWith(NO_ACTION) ? `No${subject.slice(2)}` : `To unblock: ${subject}`;
/** Reports whether a wait ends by itself, which needs no line: the node is running. */
export const endsByItself = (subject: string) => subject === NO_ACTION;

export const nothingInOut = "It has no inputs and no outputs.";
export const inputsHeading = "Inputs";
export const outputsHeading = "Outputs";
/** Shown instead of a value that a person has to enter. */
export const waitsForYou = "waits for you";
export const noValue = "missing";
export const deletedArtifact = "deleted from its store";
export const artifactLink = (artifact: string) => `Show the artifact ${artifact}`;

export const templateNotFound = "The template is not in the workflow.";
export const noContainer = "It runs no container.";
export const imageField = "Image";
export const commandField = "Command";
export const argsField = "Args";
export const sourceField = "Source";
export const envField = "Env";
export const requestsField = "Requests";
export const limitsField = "Limits";
export const manifestField = "Manifest";
export const logLink = (container: string) => `Log of ${container}`;
/** Shown instead of a value: its source. */
export const fromSecret = (secret: string, key: string) => `(secret ${secret}/${key})`;
export const fromConfigMap = (configMap: string, key: string) => `(config map ${configMap}/${key})`;
export const fromField = (path: string) => `(field ${path})`;
export const allOfSecret = (secret: string) => `(all keys of secret ${secret})`;
export const allOfConfigMap = (configMap: string) => `(all keys of config map ${configMap})`;
