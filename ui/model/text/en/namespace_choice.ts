/** Words of the choice of a namespace. */

export const allNamespaces = "all";
