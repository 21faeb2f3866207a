/**
 * The types of templates: one table, and what follows from it. Not part of `status`, so that the list of runs on the
 * page does not load it.
 *
 * | file | holds |
 * | --- | --- |
 * | `../api/template_types.ts` | the table, which the schemas need, too |
 * | `template_type.ts` | the type of a template, and the properties of a type |
 * | `work_containers.ts` | the containers that do the work of a template |
 * | `calls.ts` | the steps or tasks of a template; whether one is a loop |
 *
 * Any package may import it; it imports only types of `lib/model/api`.
 *
 * @module
 */
export * from "./calls.ts";
export * from "./template_type.ts";
export * from "../api/template_types.ts";
export * from "./work_containers.ts";
