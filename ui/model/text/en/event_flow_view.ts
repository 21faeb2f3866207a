/** Texts of the view of the event flow. */

export const flowLabel = "Event flow";
/** Kinds of items, which screen readers read before the name. */
export const eventKind = "event";
export const triggerKind = "trigger";
export const bindingKind = "binding";
export const runKind = "run";
