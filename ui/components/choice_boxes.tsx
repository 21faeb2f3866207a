/** A group of checkboxes for several values. Its value is a JSON list of the selected ones. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { chosenValues } from "@tiphys/model/api/chosen_list";
import { listText } from "../model/chosen_list.ts";
import * as words from "../model/text/en/parameter_field.ts";

interface Props {
  readonly name: string;
  readonly choices: readonly string[];
  /** The default list, whose format the value has. */
  readonly defaultText: string;
  readonly value: string;
  /** The ID of the describing element among the children. */
  readonly describedBy: string;
  readonly onValue: (value: string) => void;
  readonly children: ComponentChildren;
}

/** The group. A selected value that is not a choice is offered as well, even after it is deselected. */
export function ChoiceBoxes(
  { name, choices, defaultText: defaultValue, value, describedBy, onValue, children }: Props,
) {
  const chosen = new Set(chosenValues(value));
  const [first] = useState(chosen);
  const offered = [...new Set([...choices, ...chosenValues(defaultValue) ?? [], ...first, ...chosen])];
  return (
    <fieldset class="field" aria-describedby={describedBy}>
      <legend>{name}</legend>
      <div class="choices">
        {offered.map((choice) => (
          <label key={choice} class="choice">
            <input
              type="checkbox"
              checked={chosen.has(choice)}
              onChange={(event) => {
                const { checked } = event.currentTarget;
                onValue(
                  listText(offered.filter((other) => other === choice ? checked : chosen.has(other)), defaultValue),
                );
              }}
            />
            {choice === "" ? <em>{words.emptyChoice}</em> : choice}
          </label>
        ))}
      </div>
      {children}
    </fieldset>
  );
}
