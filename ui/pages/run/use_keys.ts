/** The keyboard actions of a run's page. */
import { useRef } from "preact/hooks";
import { useActions } from "../../actions.ts";
import { RUN_KEYS, type RunKey } from "../../model/run/run_keys.ts";

/** The action of each key; undefined if it is not available. */
export type Keys = Readonly<Record<RunKey, (() => void) | undefined>>;

/** The keys of the tabs. */
export type TabKey = Extract<RunKey, `${number}`>;

/** Registers the actions while the page is shown. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useActions(
    RUN_KEYS.map(([key, name]) => ({
      name,
      key,
      isHere: () => latest.current[key] !== undefined,
      run: () => latest.current[key]?.(),
    })),
    [],
  );
}
