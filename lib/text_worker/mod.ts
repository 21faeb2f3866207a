/**
 * Work on large texts of others in a thread, so that the thread that serves everybody does only bounded work. `tasks.ts`
 * lists the tasks, `text_thread.ts` is the program of the thread, `text_worker.ts` the end that starts it. Small texts are
 * worked in the thread of the caller.
 *
 * @module
 */
export { kindErrors } from "./kind_errors.ts";
export { type TaskOptions, TextWorker, TextWorkerError, type TextWorkerOptions } from "./text_worker.ts";
export { yamlValue } from "./yaml_value.ts";
