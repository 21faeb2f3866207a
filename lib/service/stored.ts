/** Stored objects as a program reads them: workflows of the cluster and the archive, and the templates they refer to. */
export { StoredArchive } from "./stored_archive.ts";
export { StoredObjects, storedWorkflows, valueOrThrow as readable } from "./stored_objects.ts";
export { referenceName, referredTemplates, type TemplateReference, templateReferences } from "./stored_templates.ts";
