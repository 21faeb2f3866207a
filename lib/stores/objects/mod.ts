/**
 * Common parts of object stores' drivers. A bucket has objects with keys and no folders; what counts as a folder, and
 * its contents, is defined here for all of them.
 */
export { type Bucket, objectDriver, type ObjectInfo, type Page } from "./object_driver.ts";
