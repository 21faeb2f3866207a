/** Texts of the namespace selector. */

export const allNamespaces = "all";
