/** What is handed to a template, what it takes, and what it gives. */
import { z } from "zod";
import { Artifact } from "./artifact.ts";
import { Parameter } from "./parameter.ts";
import { limits, object } from "./schema.ts";

const parametersAndArtifacts = {
  parameters: z.array(Parameter).optional(),
  artifacts: z.array(Artifact).optional(),
};

/** What is handed to a template or workflow. */
export const Arguments = object(parametersAndArtifacts);
/** What is handed to a template or workflow. */
export type Arguments = z.infer<typeof Arguments>;

/** What a template takes. */
export const Inputs = object({
  ...parametersAndArtifacts,
  parameters: z.array(Parameter).register(limits, { maxItems: 500 }).optional(),
});
/** What a template takes. */
export type Inputs = z.infer<typeof Inputs>;

/** What a template gives. */
export const Outputs = object({
  ...parametersAndArtifacts,
  result: z.string().optional(),
  exitCode: z.string().optional(),
});
/** What a template gives. */
export type Outputs = z.infer<typeof Outputs>;
