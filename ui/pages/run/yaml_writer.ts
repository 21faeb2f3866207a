/** The writer of YAML alone, loaded when somebody opens the manifest of a run. */
export { stringify } from "yaml";
