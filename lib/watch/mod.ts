/**
 * Files as signals between the containers of a pod: waiting for one to say something, and the supervisor's status
 * marker. Uses `Deno.*` only, as it is loaded in front of every user's command.
 */
export { type Clock, pause, systemClock } from "./clock.ts";
export { type Marker, parseMarker, readMarker, writeMarker, writeMarkerSync } from "./marker.ts";
export { untilFile, type WatchOptions } from "./until_file.ts";
export { writeWhole, writeWholeSync } from "./write_whole.ts";
