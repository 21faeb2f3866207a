/** The syntax of names, which the API server enforces if it has the schema. */
import * as z from "zod";
import { limits } from "./schema.ts";

/** The name of a template, step or task. */
export const CallName = z.string().register(limits, { pattern: "^[a-zA-Z0-9][-a-zA-Z0-9]*$", maxLength: 128 });

/** The name of a parameter. */
export const ParameterName = z.string().register(limits, { pattern: "^[-a-zA-Z0-9_]+$" });

/** The name of an artifact, which may contain a tag. */
export const ArtifactName = z.string().register(limits, { pattern: "^[-a-zA-Z0-9_{}.]+$" });

/** The name of a metric or of one of its labels. */
export const MetricName = z.string().register(limits, { pattern: "^[a-zA-Z_][a-zA-Z0-9_]*$" });

/** A nonempty string. */
export const FilledText = z.string().register(limits, { minLength: 1 });
