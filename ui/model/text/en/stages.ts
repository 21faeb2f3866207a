/** Texts of the stages of a node, in the past tense. */

export const waited = "waited for a machine";
export const pulled = "pulled images";
export const madeReady = "prepared";
export const ran = "ran";
export const saved = "saved outputs";
export const paused = "paused";
