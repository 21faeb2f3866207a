/** Facts with labels; unknown ones are omitted. */
import type { ComponentChildren } from "preact";

export function Facts({ facts }: { facts: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="facts">
      {Object.entries(facts).filter(([, value]) =>
        value !== undefined && value !== "" && value !== false && value !== null
      ).map((
        [name, value],
      ) => [<dt key={`${name}-name`}>{name}</dt>, <dd key={name}>{value}</dd>])}
    </dl>
  );
}
