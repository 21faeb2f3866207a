/** Words of the flow of events. */

export const flowLabel = "Flow of events";
/** What a thing is, said before its name to who does not see its shape. */
export const eventKind = "event";
export const triggerKind = "trigger";
export const bindingKind = "binding";
export const runKind = "run";
