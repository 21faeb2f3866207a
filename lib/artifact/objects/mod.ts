/**
 * Object stores: what their drivers have in common. A bucket knows objects by their keys and nothing of folders; what a
 * folder is, what lies in it, and what goes with it is decided here, once for all of them.
 */
export { type Bucket, objectDriver, type ObjectInfo, type Page } from "./object_driver.ts";
