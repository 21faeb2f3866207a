/** The archive of finished workflows, in a database with Argo's tables. Stands on `database`; loaded by who has one. */
export { OpenArchive } from "./open_archive.ts";
