/** Advice about a run: missing fields of its manifest. Pure. */
import type { Template, Workflow, WorkflowSpec } from "@tiphys/model/api";
import { callsTemplates, workContainers } from "@tiphys/model/templates";
import type { AdviceSubject } from "./advice_subject.ts";
import * as words from "../text/en/advice.ts";

/** A piece of advice. */
export interface Advice {
  readonly subject: AdviceSubject;
  readonly text: string;
  /** The field to set, as in a manifest. */
  readonly field: string;
}

/** The maximum number of templates that are named. */
const NAMED = 3;

/** Returns the advice about a run, based on the stored template if there is one. */
export function adviceOf({ spec, status }: Workflow): readonly Advice[] {
  const whole: WorkflowSpec = { ...status?.storedWorkflowTemplateSpec, ...spec };
  const templates = status?.storedWorkflowTemplateSpec?.templates ?? spec.templates ?? [];
  const advice: Advice[] = [];
  if (whole.activeDeadlineSeconds === undefined && !templates.every(hasDeadline)) {
    advice.push({
      subject: "deadline",
      text: words.deadline,
      field: "spec.activeDeadlineSeconds: 3600",
    });
  }
  if (whole.ttlStrategy === undefined) {
    advice.push({
      subject: "ttl",
      text: words.ttl,
      field: "spec.ttlStrategy: { secondsAfterCompletion: 86400 }",
    });
  }
  if (whole.podGC === undefined) {
    advice.push({
      subject: "pods",
      text: words.pods,
      field: "spec.podGC: { strategy: OnPodSuccess }",
    });
  }
  if (whole.securityContext?.runAsNonRoot === undefined && whole.securityContext?.runAsUser === undefined) {
    advice.push({
      subject: "root",
      text: words.root,
      field: "spec.securityContext: { runAsNonRoot: true }",
    });
  }
  const greedy = templates.filter(hasNoRequests).map(({ name }) => name ?? "");
  if (greedy.length > 0) {
    advice.push({
      subject: "requests",
      text: words.requests(greedy.slice(0, NAMED), Math.max(0, greedy.length - NAMED)),
      field: "resources: { requests: { cpu: 100m, memory: 128Mi } }",
    });
  }
  return advice;
}

/** Reports whether a template has a time limit. A template that calls others has theirs. */
function hasDeadline(template: Template): boolean {
  return template.activeDeadlineSeconds !== undefined || template.timeout !== undefined || callsTemplates(template);
}

function hasNoRequests(template: Template): boolean {
  const own = workContainers(template);
  return own.length > 0 &&
    own.every(({ container: { resources } }) => resources?.requests === undefined && resources?.limits === undefined);
}
