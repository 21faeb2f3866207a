/** Words of the page of one template. */

/** The link to all of them. */
export const listLink = "Templates";
export const clusterScope = "cluster";
export const namespaceScope = "namespace";
export const submitAction = (name: string) => `Submit ${name}`;
export const partsLabel = "Parts of the template";

/** In place of the parameters of a template that has none. */
export const takesNone = "None: it can be submitted as it is.";
export const usuallyField = "Default";
export const oneOfField = "One of";
export const aboutField = "About";
/** In place of the usual value of a parameter that has none. */
export const valueNeeded = "a value is needed";
/** Behind the choices of a parameter of which several can be taken. */
export const severalAtOnce = "(several)";
export const templatesHeading = "Templates";
export const entrypointBadge = "entrypoint";
