/** Texts of the page of one template. */

/** Links to the list of templates. */
export const listLink = "Templates";
export const clusterScope = "cluster";
export const namespaceScope = "namespace";
export const submitAction = (name: string) => `Submit ${name}`;
export const partsLabel = "Parts of the template";

/** Shown instead of the parameters of a template without any. */
export const noParameters = "No parameters.";
export const usuallyField = "Default";
export const oneOfField = "Allowed values";
export const aboutField = "Description";
/** Shown instead of the default of a parameter without one. */
export const requiredValue = "required";
/** Follows the choices of a parameter that accepts several of them. */
export const multipleValues = "(multiple)";
export const templatesHeading = "Templates";
export const entrypointBadge = "entrypoint";
