/** The filters of a list of runs: phase toggles, a text field, and a chip for each filter. */
import type { ComponentChildren, RefObject } from "preact";
import { lookOfPhase } from "../model/phase.ts";
import * as words from "../model/text/en/runs_page.ts";
import { PhaseGlyph } from "./glyph.tsx";

interface Props {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly phases: readonly { readonly phase: string; readonly isOn: boolean; readonly href: string }[];
  readonly chips: readonly { readonly text: string; readonly full?: string | undefined; readonly href: string }[];
  readonly onFilter: (text: string) => void;
  /** The orders of the rows. */
  readonly orders: readonly { readonly text: string; readonly isOn: boolean; readonly choose: () => void }[];
  /** Content after the filters. */
  readonly children?: ComponentChildren;
}

/** The filter bar. */
export function FilterBar({ input, phases, chips, onFilter, orders, children }: Props) {
  return (
    <search class="filters">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const { current } = input;
          if (!current || current.value.trim() === "") return;
          onFilter(current.value);
          current.value = "";
        }}
      >
        <input
          ref={input}
          name="filter"
          autocomplete="off"
          spellcheck={false}
          aria-label={words.filterLabel}
          placeholder={words.filterExample}
        />
      </form>
      <ul class="phases" aria-label={words.phasesLabel}>
        {phases.map(({ phase, isOn, href }) => (
          <li key={phase}>
            <a class={isOn ? "phase-switch on" : "phase-switch"} href={href} aria-current={isOn ? "true" : undefined}>
              <PhaseGlyph look={lookOfPhase(phase)} withWord />
            </a>
          </li>
        ))}
      </ul>
      <select
        class="order"
        aria-label={words.orderLabel}
        onChange={(event) => orders[event.currentTarget.selectedIndex]?.choose()}
      >
        {orders.map(({ text, isOn }) => <option key={text} selected={isOn}>{text}</option>)}
      </select>
      {children}
      {chips.length > 0 && (
        <ul class="chips" aria-label={words.chipsLabel}>
          {chips.map(({ text, full = text, href }) => (
            <li key={full}>
              <a class="chip" href={href} title={full} aria-label={words.removeButton(full)}>
                {text} <span aria-hidden="true">✕</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}
