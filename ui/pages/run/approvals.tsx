/** The steps of a run that wait for a person, each with its form. */
import { useMemo } from "preact/hooks";
import { storedTemplateOf } from "@tiphys/model/status";
import { resumeStep, waitingSteps } from "../../model/run/resume_run.ts";
import * as shared from "../../model/text/en/shared.ts";
import { lazy } from "../lazy.tsx";
import type { RunActions } from "./use_run_actions.ts";
import type { RunScene } from "./run_scene.ts";

const ResumeForm = lazy(async () => (await import("../../components/run/resume_form.tsx")).ResumeForm);

/** The maximum number of forms that are shown above the tabs; the dialog shows all. */
const MAX_FORMS = 3;

/**
 * The forms; renders nothing if no step waits for a person. Steps that wait for a time to pass are left out, and so is
 * the selected node, whose panel has the form.
 */
export function Approvals({ scene: { run, node, hrefOf }, doing }: { scene: RunScene; doing: RunActions }) {
  const waiting = useMemo(
    () => waitingSteps(run).filter((step) => storedTemplateOf(run, step)?.suspend?.duration === undefined),
    [run],
  );
  const shown = waiting.filter(({ id }) => id !== node?.id).slice(0, MAX_FORMS);
  const more = waiting.length - shown.length - (waiting.some(({ id }) => id === node?.id) ? 1 : 0);
  if (shown.length === 0) return null;
  return (
    <div class="approvals">
      {shown.map((step) => (
        <ResumeForm
          key={step.id}
          node={step}
          isBusy={doing.word !== undefined}
          onResume={(answer) => void doing.actAll(resumeStep(step, answer))}
        />
      ))}
      {more > 0 && <a href={hrefOf({ dialog: "resume" })}>{shared.andMore(more)}</a>}
    </div>
  );
}
