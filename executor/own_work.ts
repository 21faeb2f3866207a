/**
 * Work that main does itself, in the pod of a resource or data template: the executor is the command. It reports what
 * came of it; where an auxiliary container stands beside it, that one ends the report (IL-43).
 */
import { ENV, EXIT } from "../lib/constants.ts";
import { failureAt, messageOf, writeTerminationMessage } from "./failure.ts";
import { checkReportSize, openReport, type Report, type ReportedOutputs } from "./after_main/report.ts";
import { ownTemplate, type PodTemplate } from "./pod/template.ts";
import type { World } from "./world.ts";

/** A function that does the work of a template and gives its outputs; the signal says that the pod is being ended. */
export type OwnWork = (template: PodTemplate, signal: AbortSignal) => Promise<ReportedOutputs | undefined>;

/** Does the work and reports it; resolves to the exit code. Failing and being ended are reported too. */
export async function doOwnWork(world: World, signal: AbortSignal, work: OwnWork): Promise<number> {
  const template = ownTemplate(world);
  const report = await openReport(world);
  return await reported(world, report, hasAux(world, template), () => work(template, signal));
}

async function reported(
  world: World,
  report: Report,
  hasAux: boolean,
  work: () => Promise<ReportedOutputs | undefined>,
): Promise<number> {
  try {
    const outputs = await work();
    if (outputs) checkReportSize(outputs);
    if (!hasAux) await report.close({ outputs, succeeded: true });
    else if (outputs) await report.outputs(outputs);
    return 0;
  } catch (error) {
    const failure = failureAt("command", error);
    world.log(failure.message);
    writeTerminationMessage(world, messageOf(failure));
    if (!hasAux) await report.close({ succeeded: false });
    return EXIT.executorError;
  }
}

/** Whether somebody beside us saves logs, or has loaded what we work on. The pod of a data template has no such container. */
function hasAux(world: World, template: PodTemplate): boolean {
  if (world.env(ENV.waitForReady) === "true") return true;
  return template.resource !== undefined && template.archiveLocation?.archiveLogs === true;
}
