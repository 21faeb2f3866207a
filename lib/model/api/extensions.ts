/**
 * Extensions of our API beyond Argo's: the last segments of routes, names in queries, and logs that lie in the store. A
 * server of ours names them in `/api/v1/info`; the page asks for none of them where a server does not.
 */
export const EXTENSIONS = ["archived-logs", "can", "pod-times", "scripts", "sort", "why"] as const;
/** One of them. */
export type Extension = (typeof EXTENSIONS)[number];
