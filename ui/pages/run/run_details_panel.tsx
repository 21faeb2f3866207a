/** The details of the current run, with its links. */
import { useApp } from "../../app.ts";
import { RunDetails } from "../../components/run/run_details.tsx";
import { relatedRunsFilter } from "../../model/run/compare.ts";
import type { RunScene } from "./run_scene.ts";

export function RunDetailsPanel({ scene: { run, namespace, now } }: { scene: RunScene }) {
  const app = useApp();
  const kin = relatedRunsFilter(run);
  const runsHref = (name: string, value: string) =>
    app.hrefOf({ page: { kind: "runs", namespace }, query: [[name, value]] });
  return (
    <RunDetails
      run={run}
      prices={app.info.value.prices}
      now={now}
      hrefOfPage={(page) => app.hrefOf({ page, query: [] })}
      hrefOfLabel={(label) => runsHref("label", label)}
      relatedRunsHref={"label" in kin ? runsHref("label", kin.label) : runsHref("Prefix", kin.prefix)}
    />
  );
}
