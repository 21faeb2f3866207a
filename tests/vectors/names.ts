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
  nodeid: (v) => assertEquals(nodeID(v.workflow, v.nodeName), v.output),
  podname: (v) => {
    const { workflow: workflowName, nodeName, template: templateName, version } = v;
    assertEquals(argoPodName({ workflowName, nodeName, templateName, version }), v.output);
  },
  podnameversion: (v) => assertEquals(podNameVersion(v.annotation), v.output),
  loopnodename: (v) => checkOutcome(v, () => loopChildName(v.name, v.index, v.desc)),
  taskname: (v) => {
    assertEquals(taskName(v.nodeName), v.output);
    // Argo crashes on a name with a colon before the parenthesis; it has no index.
    assertEquals(loopIndex(v.nodeName), v.error === undefined ? v.recoveredIndex : -1);
  },
  hooknodename: (v) => {
    assertEquals(hookNodeName(v.parent, v.hook), v.output);
    assertEquals(onExitNodeName(v.parent), v.onExit);
  },
  cronchildname: (v) => assertEquals(cronChildName(v.name, new Date(v.time)), v.output),
  backfillprefix: (v) => assertEquals(backfillPrefix(v.name, v.op), v.output),
  displayname: (v) => assertEquals(isDisplayName(v.value), v.output),
  memokey: (v) => assertEquals(isMemoKey(v.value), v.output),
  fieldname: (v) => {
    assertEquals(containsTag(v.value), v.isParameter);
    assertEquals(parameterNameErrors(v.value), v.paramOrArtifact);
    assertEquals(stepNameErrors(v.value), v.step);
    assertEquals(workflowFieldNameErrors(v.value), v.workflowField);
    assert(v.output === undefined);
  },
  labelvalue: (v) => checkErrors(v, labelValueErrors(v.value)),
  qualifiedname: (v) => checkErrors(v, qualifiedNameErrors(v.value)),
  dns1123subdomain: (v) => checkErrors(v, subdomainErrors(v.value)),
};
