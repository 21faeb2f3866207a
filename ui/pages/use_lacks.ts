/** The rights that somebody lacks for what can be done, asked of the server before it is tried. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { Refusal } from "../api/refusal.ts";
import type { Lacks, TemplateKind } from "../api/source.ts";
import { useApp } from "../app.ts";
import { isArchivedOnly } from "../model/run/archived.ts";
import { lackText } from "../model/run/lacks.ts";
import { useWhileShown } from "./hooks.ts";

const NONE: Lacks = {};

/** What is lacking for one object; nothing until it is known, and before a server that does not tell: it refuses by itself. */
export function useLacks(kind: "Workflow" | TemplateKind, namespace: string, name: string): ReadonlySignal<Lacks> {
  const ask = useAsk();
  const lacks = useSignal(NONE);
  useWhileShown((signal) => {
    lacks.value = NONE;
    ask(kind, namespace, name, signal, (found) => lacks.value = found);
  }, [kind, namespace, name]);
  return lacks;
}

/** The most namespaces of which it is asked what may be done to runs. */
const MOST_NAMESPACES = 5;

/**
 * What is lacking for an action on all of many runs, in words; undefined where it may be done to one of them, as far as is
 * known. It is asked once for each namespace, with the first of its runs that is selected.
 */
export function useLacksOfMany(
  runs: readonly Workflow[],
): (action: string, runs: readonly Workflow[]) => string | undefined {
  const ask = useAsk();
  const known = useSignal<ReadonlyMap<string, Lacks>>(new Map());
  const firsts = new Map<string, string>();
  for (const { metadata: { namespace = "", name = "" } } of runs) {
    if (firsts.size === MOST_NAMESPACES) break;
    if (!firsts.has(namespace)) firsts.set(namespace, name);
  }
  const left = useSignal(new AbortController());
  useEffect(() => () => left.value.abort(), []);
  useEffect(() => {
    for (const [namespace, name] of firsts) {
      if (known.value.has(namespace)) continue;
      const keep = (found: Lacks) => known.value = new Map([...known.value, [namespace, found]]);
      keep(NONE);
      ask("Workflow", namespace, name, left.value.signal, keep);
    }
  }, [[...firsts.keys()].join()]);
  return (action, meant) => {
    if (meant.length === 0 || meant.some(isArchivedOnly)) return undefined;
    const texts = new Set(
      meant.map(({ metadata: { namespace = "" } }) => lackText(known.value.get(namespace) ?? NONE, action)),
    );
    return texts.has(undefined) ? undefined : [...texts].join("; ");
  };
}

/** Asks, and tells what is found out. */
function useAsk() {
  const { source, session } = useApp();
  return (
    kind: "Workflow" | TemplateKind,
    namespace: string,
    name: string,
    signal: AbortSignal,
    tell: (lacks: Lacks) => void,
  ) => {
    // Who comes by a ticket has all rights.
    if (session.login === "ticket") return;
    source.lacks(kind, namespace, name, signal).then((found) => {
      if (!signal.aborted) tell(found);
    }, (error) => {
      if (!signal.aborted && !(error instanceof Refusal)) throw error;
    });
  };
}
