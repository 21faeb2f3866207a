/** The cost of a run by template: what was used, what that costs where there are prices, and the time in which nothing ran. */
import { useMemo } from "preact/hooks";
import type { Workflow } from "../../../lib/api/mod.ts";
import type { Prices } from "../../api/source.ts";
import { costTable, moneyText, useText } from "../../model/cost.ts";
import { durationText } from "../../model/duration.ts";

interface Props {
  readonly run: Workflow;
  readonly prices: Prices | undefined;
  readonly now: number;
}

/** The table. */
export function RunCost({ run, prices, now }: Props) {
  const { rows, durations, cost, idle } = useMemo(() => costTable(run, prices, now), [run, prices, now]);
  if (rows.length === 0) return <p class="note">No pod has told yet what it used.</p>;
  const money = (amount: number | undefined) => amount === undefined || !prices ? "" : moneyText(amount, prices);
  const pods = rows.reduce((sum, { nodes }) => sum + nodes, 0);
  return (
    <section class="cost scroll-x" aria-label="Cost">
      <table>
        <thead>
          <tr>
            <th>Template</th>
            <th class="end-cell">Pods</th>
            {cost !== undefined && <th class="end-cell">Cost</th>}
            <th>Share</th>
            <th>Used</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ template, nodes, durations, cost: own, share }) => (
            <tr key={template}>
              <td class="name">{template}</td>
              <td class="number end-cell" data-head="Pods">{nodes}</td>
              {cost !== undefined && <td class="number end-cell">{money(own)}</td>}
              <td class="number">
                <meter class="share" min={0} max={1} value={share} aria-label={`Share of ${template}`} />
                {Math.round(share * 100)} %
              </td>
              <td class="muted">{useText(durations)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">In all</th>
            <td class="number end-cell" data-head="Pods">{pods}</td>
            {cost !== undefined && <td class="number end-cell">{money(cost)}</td>}
            <td />
            <td class="muted">{useText(durations)}</td>
          </tr>
        </tfoot>
      </table>
      {idle >= 1000 && <p class="muted">For {durationText(idle)} no pod was there.</p>}
    </section>
  );
}
