/** A choice of one value: what is set is seen, though it is none of the choices. */

interface Props {
  readonly choices: readonly string[];
  readonly value: string;
  readonly onInput: (event: { currentTarget: { value: string } }) => void;
  readonly id?: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: "true" | undefined;
}

/** The field. */
export function ChoiceSelect({ choices, value, ...rest }: Props) {
  const all = choices.includes(value) ? choices : [value, ...choices];
  return (
    <select value={value} {...rest}>
      {all.map((one) => <option key={one} value={one}>{one}</option>)}
    </select>
  );
}
