/** Words of the stages of a node, in the past. */

export const waited = "waited for a machine";
export const pulled = "pulled images";
export const madeReady = "made ready";
export const ran = "ran";
export const saved = "saved outputs";
export const paused = "paused";
