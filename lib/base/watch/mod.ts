/**
 * Files as signals between the containers of a pod: waiting for a file, and the supervisor's status marker. Uses only
 * `Deno.*`, since it is loaded before every user's command.
 */
export { formatMarker, type Marker, parseMarker, readMarker } from "./marker.ts";
export { waitForFile, type WatchOptions } from "./until_file.ts";
