/** The cost of a run by template: resource use, its price if configured, and idle time. */
import { useMemo } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import type { Prices } from "../../api/source.ts";
import { costTable, moneyText, useText } from "../../model/cost.ts";
import { durationText } from "../../model/duration.ts";
import { grouped } from "../../model/text/en.ts";
import * as words from "../../model/text/en/cost.ts";
import * as shared from "../../model/text/en/shared.ts";

interface Props {
  readonly run: Workflow;
  readonly prices: Prices | undefined;
  readonly now: number;
}

export function RunCost({ run, prices, now }: Props) {
  const { rows, durations, cost, idle } = useMemo(() => costTable(run, prices, now), [run, prices, now]);
  if (rows.length === 0) return <p class="note empty">{words.nothingUsed}</p>;
  const money = (amount: number | undefined) => amount === undefined || !prices ? "" : moneyText(amount, prices);
  const pods = rows.reduce((sum, { nodes }) => sum + nodes, 0);
  return (
    <section class="cost scroll-x" aria-label={shared.costField}>
      <table>
        <thead>
          <tr>
            <th>{words.templateColumn}</th>
            <th class="end-cell">{words.podsColumn}</th>
            {cost !== undefined && <th class="end-cell">{shared.costField}</th>}
            <th>{words.shareColumn}</th>
            <th>{shared.usedField}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ template, nodes, durations, cost: own, share }) => (
            <tr key={template}>
              <td class="name">{template}</td>
              <td class="number end-cell" data-head={words.podsColumn}>{grouped(nodes)}</td>
              {cost !== undefined && <td class="number end-cell">{money(own)}</td>}
              <td class="number">
                {share !== undefined && (
                  <>
                    <meter class="share" min={0} max={1} value={share} aria-label={words.shareLabel(template)} />
                    {words.share(share)}
                  </>
                )}
              </td>
              <td class="muted">{useText(durations)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{words.sumRow}</th>
            <td class="number end-cell" data-head={words.podsColumn}>{grouped(pods)}</td>
            {cost !== undefined && <td class="number end-cell">{money(cost)}</td>}
            <td />
            <td class="muted">{useText(durations)}</td>
          </tr>
        </tfoot>
      </table>
      {idle >= 1000 && <p class="muted">{words.idleFor(durationText(idle))}</p>}
    </section>
  );
}
