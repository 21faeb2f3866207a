/** The YAML serializer, loaded when the manifest of a run is opened. */
export { stringify } from "yaml";
