/** The actions of a run's page, by their keys. */
import { useRef } from "preact/hooks";
import { useActions } from "../../actions.ts";
import { RUN_KEYS, type RunKey } from "../../model/run/run_keys.ts";

/** What each key does as the page is drawn; undefined where there is nothing to do it to. */
export type Keys = Readonly<Record<RunKey, (() => void) | undefined>>;

/** The keys of the tabs. */
export type TabKey = Extract<RunKey, `${number}`>;

/** Offers them as long as the page is shown. */
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
