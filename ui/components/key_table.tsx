/** Keys and their actions, as a table. */
import * as words from "../model/text/en/keys.ts";

interface Props {
  /** A key, or a sequence of keys separated by blanks; a single blank is the space bar. */
  readonly keys: readonly (readonly [key: string, does: string])[];
}

export function KeyTable({ keys }: Props) {
  return (
    <table class="keys">
      <tbody>
        {keys.map(([key, does]) => (
          <tr key={does}>
            <td>
              {(key === " " ? [words.spaceKey] : key.split(" ")).map((symbol) => <kbd key={symbol}>{symbol}</kbd>)}
            </td>
            <td>{does}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
