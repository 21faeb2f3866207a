/** The wait for `successCondition` and `failureCondition` of an object. */
import { classifyError } from "@tiphys/kube/errors";
import type { KubeObject } from "@tiphys/kube/object";
import { TemplateError } from "@tiphys/language/template/error";
import { evaluateResourceConditions } from "@tiphys/language/template/resource_condition";
import { describeError, ExecutorError } from "../failure.ts";

/** The conditions of a template; an empty one is ignored. */
export interface Conditions {
  readonly success: string;
  readonly failure: string;
}

/**
 * Waits until the latest version meets the success condition.
 * @throws {ExecutorError} when it meets the failure condition, the object is deleted, or a condition is invalid.
 */
export async function waitForConditions(
  versions: AsyncIterable<KubeObject>,
  { success, failure }: Conditions,
  log: (message: string) => void,
): Promise<void> {
  if (success === "" && failure === "") return;
  checkReadable("success", success);
  checkReadable("fail", failure);
  try {
    for await (const version of versions) {
      const verdict = evaluateResourceConditions(JSON.stringify(version), success, failure);
      if (verdict.kind === "met") return;
      if (verdict.kind === "failed") throw new ExecutorError(verdict.message);
      log(verdict.message);
    }
  } catch (error) {
    if (classifyError(error) !== "notFound") throw error;
    throw new ExecutorError(
      `The resource has been deleted while its status was still being checked. Will not be retried: ${
        describeError(error)
      }`,
    );
  }
}

function checkReadable(which: "success" | "fail", condition: string): void {
  try {
    evaluateResourceConditions("{}", condition, "");
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new ExecutorError(`${which} condition '${condition}' failed to parse: ${error.message}`);
  }
}
