/**
 * Work that the executor does itself as the main container of a resource or data template. It reports the outputs. If
 * the pod has an auxiliary container, that one closes the report (IL-43).
 */
import { ENV, EXIT } from "@tiphys/base/constants";
import { messageOf, toExecutorError, writeTerminationMessage } from "./failure.ts";
import { checkReportSize, openReport, type Report, type ReportedOutputs } from "./after_main/report.ts";
import { type PodTemplate, readPodTemplate } from "./pod/template.ts";
import type { World } from "./world.ts";

/** The work of a template. Resolves to its outputs. The signal is aborted when the pod is being terminated. */
export type TemplateWork = (template: PodTemplate, signal: AbortSignal) => Promise<ReportedOutputs | undefined>;

/** Does the work and reports its outputs or its failure. Resolves to the exit code. */
export async function runTemplateWork(world: World, signal: AbortSignal, work: TemplateWork): Promise<number> {
  const template = readPodTemplate(world);
  const report = await openReport(world);
  return await runAndReport(world, report, hasAux(world, template), () => work(template, signal));
}

async function runAndReport(
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
    const failure = toExecutorError("command", error);
    world.log(failure.message);
    writeTerminationMessage(world, messageOf(failure));
    if (!hasAux) await report.close({ succeeded: false });
    return EXIT.executorError;
  }
}

/**
 * Whether an auxiliary container saves logs or has loaded the inputs. The pod of a data template has no such container.
 */
function hasAux(world: World, template: PodTemplate): boolean {
  if (world.env(ENV.waitForReady) === "true") return true;
  return template.resource !== undefined && template.archiveLocation?.archiveLogs === true;
}
