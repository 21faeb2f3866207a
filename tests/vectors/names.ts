/** Checkers of the vectors of names. */
import { assert, assertEquals } from "@std/assert";
import {
  containsTag,
  isDisplayName,
  isMemoKey,
  parameterNameErrors,
  stepNameErrors,
  workflowFieldNameErrors,
} from "../../lib/language/template/name_rules.ts";
import { labelValueErrors, qualifiedNameErrors, subdomainErrors } from "@tiphys/base/selector/label_rules";
import { loopChildName } from "../../lib/language/template/loop.ts";
import {
  argoPodName,
  backfillPrefix,
  cronChildName,
  hookNodeName,
  loopIndex,
  nodeID,
  onExitNodeName,
  podNameVersion,
  taskName,
} from "@tiphys/model/status";
import { type Check, checkOutcome, type Vector } from "./vector.ts";

function checkErrors(vector: Vector, errors: string[]): void {
  assertEquals(errors, vector.errors ?? []);
  assertEquals(errors.length === 0, vector.output);
}

export const NAMES: Record<string, Check> = {
  nodeid: (vector) => assertEquals(nodeID(vector.workflow, vector.nodeName), vector.output),
  podname: (vector) => {
    const { workflow: workflowName, nodeName, template: templateName, version } = vector;
    assertEquals(argoPodName({ workflowName, nodeName, templateName, version }), vector.output);
  },
  podnameversion: (vector) => assertEquals(podNameVersion(vector.annotation), vector.output),
  loopnodename: (vector) => checkOutcome(vector, () => loopChildName(vector.name, vector.index, vector.desc)),
  taskname: (vector) => {
    assertEquals(taskName(vector.nodeName), vector.output);
    // Argo crashes on a name with a colon before the parenthesis; it has no index.
    assertEquals(loopIndex(vector.nodeName), vector.error === undefined ? vector.recoveredIndex : -1);
  },
  hooknodename: (vector) => {
    assertEquals(hookNodeName(vector.parent, vector.hook), vector.output);
    assertEquals(onExitNodeName(vector.parent), vector.onExit);
  },
  cronchildname: (vector) => assertEquals(cronChildName(vector.name, new Date(vector.time)), vector.output),
  backfillprefix: (vector) => assertEquals(backfillPrefix(vector.name, vector.op), vector.output),
  displayname: (vector) => assertEquals(isDisplayName(vector.value), vector.output),
  memokey: (vector) => assertEquals(isMemoKey(vector.value), vector.output),
  fieldname: (vector) => {
    assertEquals(containsTag(vector.value), vector.isParameter);
    assertEquals(parameterNameErrors(vector.value), vector.paramOrArtifact);
    assertEquals(stepNameErrors(vector.value), vector.step);
    assertEquals(workflowFieldNameErrors(vector.value), vector.workflowField);
    assert(vector.output === undefined);
  },
  labelvalue: (vector) => checkErrors(vector, labelValueErrors(vector.value)),
  qualifiedname: (vector) => checkErrors(vector, qualifiedNameErrors(vector.value)),
  dns1123subdomain: (vector) => checkErrors(vector, subdomainErrors(vector.value)),
};
