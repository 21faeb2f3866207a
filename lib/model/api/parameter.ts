/** Parameters: named strings that are inputs and outputs of templates. */
import * as z from "zod";
import { ConfigMapKeySelector } from "./core/reference.ts";
import { ParameterName } from "./name.ts";
import { AnyString, limits, object } from "./schema.ts";

/** The source of a parameter's value: a file, a field, an expression, an event, a ConfigMap or a person. */
export const ValueFrom = object({
  path: z.string().optional(),
  jsonPath: z.string().optional(),
  jqFilter: z.string().optional(),
  event: z.string().optional(),
  parameter: z.string().optional(),
  supplied: object({}).optional(),
  configMapKeyRef: ConfigMapKeySelector.optional(),
  default: AnyString.optional(),
  expression: z.string().optional(),
});
/** The source of a parameter's value: a file, a field, an expression, an event, a ConfigMap or a person. */
export type ValueFrom = z.infer<typeof ValueFrom>;

/** A named string. */
export const Parameter = object({
  name: ParameterName,
  default: AnyString.optional(),
  value: AnyString.optional(),
  valueFrom: ValueFrom.optional(),
  globalName: z.string().optional(),
  enum: z.array(AnyString).register(limits, { minItems: 1 }).optional(),
  description: AnyString.optional(),
});
/** A named string. */
export type Parameter = z.infer<typeof Parameter>;
