/** Arguments, inputs and outputs of templates. */
import * as z from "zod";
import { Artifact } from "./artifact.ts";
import { Parameter } from "./parameter.ts";
import { limits, object } from "./schema.ts";

const parametersAndArtifacts = {
  parameters: z.array(Parameter).optional(),
  artifacts: z.array(Artifact).optional(),
};

/** The parameters and artifacts that are passed to a template or workflow. */
export const Arguments = object(parametersAndArtifacts);
/** The parameters and artifacts that are passed to a template or workflow. */
export type Arguments = z.infer<typeof Arguments>;

/** The parameters and artifacts that a template receives. */
export const Inputs = object({
  ...parametersAndArtifacts,
  parameters: z.array(Parameter).register(limits, { maxItems: 500 }).optional(),
});
/** The parameters and artifacts that a template receives. */
export type Inputs = z.infer<typeof Inputs>;

/** The parameters, artifacts, result and exit code that a template returns. */
export const Outputs = object({
  ...parametersAndArtifacts,
  result: z.string().optional(),
  exitCode: z.string().optional(),
});
/** The parameters, artifacts, result and exit code that a template returns. */
export type Outputs = z.infer<typeof Outputs>;
