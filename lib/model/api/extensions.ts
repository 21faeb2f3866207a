/**
 * Extensions of the API beyond Argo's: the names of routes, names in queries, and archived logs. A Tiphys server lists
 * them in `/api/v1/info`. The page requests only those that the server lists.
 */
export const EXTENSIONS = ["activity", "archived-logs", "can", "pod-times", "scripts", "sort", "why"] as const;
/** One of them. */
export type Extension = (typeof EXTENSIONS)[number];
