/** The part of mysql2 that is used, loaded on demand and bundled separately. */
export { createConnection } from "mysql2";
