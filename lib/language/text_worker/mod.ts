/**
 * Processing of large texts from clients in separate threads, so that the main thread does only bounded work.
 * `tasks.ts` lists the tasks, `text_thread.ts` is the program of a thread, `text_lane.ts` starts it and sends it tasks,
 * and `text_worker.ts` lets callers take turns. Small texts are processed in the thread of the caller.
 *
 * @module
 */
export { type BodyValue, jsonBody, messageBody } from "./body_value.ts";
export { type KindErrors, kindErrors } from "./kind_errors.ts";
export { kindObject, withoutNullMetadata } from "./kind_object.ts";
export { patchDepth, patchedObject } from "./patched_object.ts";
export { unknownFieldsOf } from "./unknown_fields.ts";
export { TextWorkerError } from "./text_lane.ts";
export { type TaskOptions, TextWorker, type TextWorkerOptions } from "./text_worker.ts";
export { yamlValue } from "./yaml_value.ts";
