/**
 * Files as signals between the containers of a pod: waiting for one to say something, and the supervisor's status
 * marker. Uses `Deno.*` only, as it is loaded in front of every user's command.
 */
export { type Marker, parseMarker, readMarker, textOfMarker } from "./marker.ts";
export { untilFile, type WatchOptions } from "./until_file.ts";
