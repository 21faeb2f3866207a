/** The part of mysql2 that is used: loaded where a database of MySQL is named, and bundled apart. */
export { createConnection } from "mysql2";
