/** The forms that resume a run, in all their states. */
import { states } from "../../testing/states.tsx";
import { assert, assertEquals } from "@std/assert";
import { ResumeDialog } from "../../components/run/resume_dialog.tsx";
import { ResumeForm, StepFields } from "../../components/run/resume_form.tsx";
import * as words from "../../model/text/en/run_page.ts";
import { approval, succeededRun, waitingRun } from "../../testing/objects.ts";
import { Approvals } from "./approvals.tsx";
import { RunPanel } from "./run_panel.tsx";
import { stateOf } from "../../testing/run_states.tsx";

states([RunPanel, ResumeForm, StepFields], {
  "a step that waits for a value": stateOf(waitingRun(approval("approve")), "nodeId=id-approve", (page) => {
    assertEquals(page.all("form").length, 1);
  }),
});

states([Approvals, ResumeForm], { "a step that waits": stateOf(waitingRun(approval("approve"))) });

states([ResumeDialog, StepFields], {
  "a step that waits for a value": stateOf(waitingRun(approval("approve")), "dialog=resume"),
});

states([ResumeDialog], {
  "no step waits": stateOf(succeededRun, "dialog=resume", (page) => {
    assert((page.within("dialog").one("button", words.resumeButton) as HTMLButtonElement).disabled);
  }),
  "many steps wait": stateOf(waitingRun(...Array.from({ length: 60 }, (_, i) => approval(`a${i}`))), "dialog=resume"),
});
