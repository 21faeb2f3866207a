/** The drivers of artifact stores. A driver is loaded only when a template uses its store. */
export { driverFor } from "./driver_for.ts";
