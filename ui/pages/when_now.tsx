/** The answer of a schedule's condition now, by the reading of the controller; loaded where there is one. */
import type { CronWorkflow } from "../../lib/api/mod.ts";
import { evaluateCronWhen } from "../../lib/template/cron/conditions.ts";
import { UserError } from "../../lib/user_error.ts";
import * as words from "../model/text/en/cron_page.ts";

/** The answer in words. */
export function WhenNow({ cron }: { cron: CronWorkflow }) {
  return <span class="muted">{whenText(cron)}</span>;
}

function whenText({ metadata, spec, status }: CronWorkflow): string {
  const { name = "", namespace, labels, annotations } = metadata;
  const { failed, succeeded, active, lastScheduledTime } = status ?? {};
  try {
    const isTrue = evaluateCronWhen(spec.when ?? "", {
      name,
      ...(namespace ? { namespace } : {}),
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
      ...(lastScheduledTime ? { lastScheduledTime } : {}),
      failed: failed ?? 0,
      succeeded: succeeded ?? 0,
      active: active?.length ?? 0,
    });
    return isTrue ? words.whenIsTrue : words.whenIsFalse;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return words.whenFails(error.message);
  }
}
