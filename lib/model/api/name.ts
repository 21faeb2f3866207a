/** The form of names, as the API server checks it where a schema is enforced. */
import * as z from "zod";
import { limits } from "./schema.ts";

/** The name of a template, step or task. */
export const CallName = z.string().register(limits, { pattern: "^[a-zA-Z0-9][-a-zA-Z0-9]*$", maxLength: 128 });

/** The name of a parameter. */
export const ParameterName = z.string().register(limits, { pattern: "^[-a-zA-Z0-9_]+$" });

/** The name of an artifact, which may still hold a tag. */
export const ArtifactName = z.string().register(limits, { pattern: "^[-a-zA-Z0-9_{}.]+$" });

/** The name of a metric or of one of its labels. */
export const MetricName = z.string().register(limits, { pattern: "^[a-zA-Z_][a-zA-Z0-9_]*$" });

/** A text that is not empty. */
export const FilledText = z.string().register(limits, { minLength: 1 });
