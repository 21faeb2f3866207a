/** Texts of the lists of templates. */

export const heading = "Templates";
export const newButton = "New template";
export const manifestLabel = "Manifest of the template";
/** Selects templates of the namespace or of the cluster. */
export const scopeLabel = "Scope";
export const namespaceTab = "Namespace";
export const clusterTab = "Cluster";
export const noneYet = "No templates yet";
/** Describes templates, above a command that creates one. */
export const about =
  "A template is stored in the cluster, and runs are created from it. Create one here, or in a terminal:";
export const createdField = "Created";
export const aboutField = "Description";
/** The parameters of a template, in rows of several lines. */
export const parametersField = "Parameters";
