/** A choice of several values, as a group of checkboxes: its value is the JSON list of those that are chosen. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { chosenIn } from "@tiphys/model/api/chosen_list";
import { listText } from "../model/chosen_list.ts";
import * as words from "../model/text/en/parameter_field.ts";

interface Props {
  readonly name: string;
  readonly choices: readonly string[];
  /** The list that is there without anybody's help: the value has its form. */
  readonly usual: string;
  readonly value: string;
  /** The element that says more about it, which is among the children. */
  readonly describedBy: string;
  readonly onValue: (value: string) => void;
  readonly children: ComponentChildren;
}

/** The group. What is chosen and none of the choices is offered, too, and stays so when it is taken out. */
export function ChoiceBoxes({ name, choices, usual, value, describedBy, onValue, children }: Props) {
  const chosen = new Set(chosenIn(value));
  const [first] = useState(chosen);
  const offered = [...new Set([...choices, ...chosenIn(usual) ?? [], ...first, ...chosen])];
  return (
    <fieldset class="field" aria-describedby={describedBy}>
      <legend>{name}</legend>
      <div class="choices">
        {offered.map((one) => (
          <label key={one} class="choice">
            <input
              type="checkbox"
              checked={chosen.has(one)}
              onChange={(event) => {
                const { checked } = event.currentTarget;
                onValue(listText(offered.filter((other) => other === one ? checked : chosen.has(other)), usual));
              }}
            />
            {one === "" ? <em>{words.emptyChoice}</em> : one}
          </label>
        ))}
      </div>
      {children}
    </fieldset>
  );
}
