/**
 * A select field for one value. A value that is not a choice is shown as well; an empty one means that nothing is
 * selected.
 */
import * as words from "../model/text/en/parameter_field.ts";

interface Props {
  readonly choices: readonly string[];
  readonly value: string;
  readonly onInput: (event: { currentTarget: { value: string } }) => void;
  readonly id?: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: "true" | undefined;
}

export function ChoiceSelect({ choices, value, ...rest }: Props) {
  const all = choices.includes(value) ? choices : [value, ...choices];
  return (
    <select value={value} {...rest}>
      {all.map((choice) => (
        <option key={choice} value={choice}>
          {choice || (choices.includes("") ? words.emptyChoice : words.chooseOne)}
        </option>
      ))}
    </select>
  );
}
