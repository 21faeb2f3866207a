/** Words of the lists of templates. */

export const heading = "Templates";
export const newButton = "New template";
export const manifestLabel = "Manifest of the template";
/** The choice between templates of a namespace and of the cluster. */
export const scopeLabel = "Scope";
export const namespaceTab = "Of a namespace";
export const clusterTab = "Of the cluster";
export const noneYet = "No templates yet";
/** What a template is, before the line of a terminal that makes one. */
export const about = "A template is kept in the cluster, and runs are made from it. Write one here, or in a terminal:";
export const createdField = "Created";
export const aboutField = "About";
/** The parameters of a template, where a row stands on several lines. */
export const takesField = "Takes";
