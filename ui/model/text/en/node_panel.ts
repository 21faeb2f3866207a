/** Words of the panel of a node. */

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
/** The machines on which attempts at it failed. */
export const failedHostsField = "Failed on";
/** The person who let it go on, and how long it waited for one. */
export const resumedByField = "Resumed by";
export const waitedField = "Waited";
/** The time that a node took so far, of what it is estimated to take. */
export const tookOfAbout = (took: string, estimate: string) => `${took} of ~${estimate}`;
export const waitsForLockField = "Waits for the lock";
/** Outputs that were remembered, under a key, in a config map. */
export const cacheField = "Cache";
export const cacheHit = "hit: its outputs are those of an earlier node";
export const cacheMiss = "miss: it ran, and its outputs are remembered";
export const cacheKeyField = "Cache key";
export const cacheNameField = "Cache name";
export const resourcesField = "Resources";
export const idField = "ID";
export const attemptsHeading = "Attempts";
export const attempt = (number: number) => `Attempt ${number}`;

export const asking = "Asking the server …";
export const nothingHoldsEnded = "It has finished.";
export const nothingHolds = "No reason to wait is known.";
/** What ends a wait. */
export const goesOnWith = (what: string) => `Goes on with ${what}`;

export const nothingInOut = "It has no inputs and no outputs.";
export const inputsHeading = "Inputs";
export const outputsHeading = "Outputs";
/** In the place of a value that a person gives. */
export const waitsForYou = "waits for you";
export const noValue = "not there";
export const deletedArtifact = "an artifact that was deleted from its store";
export const artifactLink = (artifact: string) => `Show the artifact ${artifact}`;

export const templateElsewhere = "The template is not in the workflow.";
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
/** In the place of a value: where it comes from. */
export const fromSecret = (secret: string, key: string) => `(secret ${secret}/${key})`;
export const fromConfigMap = (configMap: string, key: string) => `(config map ${configMap}/${key})`;
export const fromField = (path: string) => `(field ${path})`;
export const allOfSecret = (secret: string) => `(all of secret ${secret})`;
export const allOfConfigMap = (configMap: string) => `(all of config map ${configMap})`;
