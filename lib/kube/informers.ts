/** Copies of objects that stay current, the events of watches, and the field owners that copies leave out. */
export { isServerSideApplied, NO_FIELD_OWNERS } from "./field_owners.ts";
export { type ChangeHandler, type ChangeType, Informer, type InformerOptions } from "./informer.ts";
export { ReadingInformer, type ReadingInformerOptions } from "./reading_informer.ts";
export { SilentWatchError, type WatchEvent } from "./watch.ts";
