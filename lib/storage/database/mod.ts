/** A database of PostgreSQL, MySQL, MariaDB or SQLite, opened from settings. */
export type { Database, Engine } from "./database.ts";
export { DatabaseError } from "./database_error.ts";
export { openDatabase } from "./open_database.ts";
export { checkTableName, prepareSchema, type Schema, type SchemaOptions } from "./schema_history.ts";
export { kubernetesTime, storedTime } from "./stored_time.ts";
