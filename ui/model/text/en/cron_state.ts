/** Texts of the states of a schedule. */

export const stopped = "Stopped";
export const suspended = "Suspended";
export const active = "Active";
