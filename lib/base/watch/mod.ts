/**
 * Files as signals between the containers of a pod: waiting for a file, and the supervisor's status marker. Uses only
 * `Deno.*`, since it is loaded before every user's command.
 */
export { type Marker, parseMarker, readMarker, textOfMarker } from "./marker.ts";
export { untilFile, type WatchOptions } from "./until_file.ts";
