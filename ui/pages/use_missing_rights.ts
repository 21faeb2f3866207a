/** The rights that a user lacks for actions, requested before an action is tried. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { Refusal } from "../api/refusal.ts";
import type { MissingRightsByAction, TemplateKind } from "../api/source.ts";
import { useApp } from "../app.ts";
import { isArchivedOnly } from "../model/run/archived.ts";
import { missingRightsText } from "../model/run/missing_rights.ts";
import { useWhileShown } from "./hooks.ts";

const NONE: MissingRightsByAction = {};

/**
 * Returns the missing rights for one object; empty until known, and if the server does not support it, which then
 * refuses actions.
 */
export function useMissingRights(
  kind: "Workflow" | TemplateKind,
  namespace: string,
  name: string,
): ReadonlySignal<MissingRightsByAction> {
  const ask = useRightsRequest();
  const lacks = useSignal(NONE);
  useWhileShown((signal) => {
    lacks.value = NONE;
    ask(kind, namespace, name, signal, (rights) => lacks.value = rights);
  }, [kind, namespace, name]);
  return lacks;
}

/** For how many namespaces rights are requested. */
const MAX_NAMESPACES = 5;

/**
 * Describes the missing rights for an action on several runs; undefined if at least one run allows it, as far as known.
 * Rights are requested once per namespace, with its first selected run.
 */
export function useMissingRightsOfMany(
  runs: readonly Workflow[],
): (action: string, runs: readonly Workflow[]) => string | undefined {
  const ask = useRightsRequest();
  const known = useSignal<ReadonlyMap<string, MissingRightsByAction>>(new Map());
  const firsts = new Map<string, string>();
  for (const { metadata: { namespace = "", name = "" } } of runs) {
    if (firsts.size === MAX_NAMESPACES) break;
    if (!firsts.has(namespace)) firsts.set(namespace, name);
  }
  const left = useSignal(new AbortController());
  useEffect(() => () => left.value.abort(), []);
  useEffect(() => {
    for (const [namespace, name] of firsts) {
      if (known.value.has(namespace)) continue;
      const keep = (rights: MissingRightsByAction) => known.value = new Map([...known.value, [namespace, rights]]);
      keep(NONE);
      ask("Workflow", namespace, name, left.value.signal, keep);
    }
  }, [[...firsts.keys()].join()]);
  return (action, selection) => {
    if (selection.length === 0 || selection.some(isArchivedOnly)) return undefined;
    const texts = new Set(
      selection.map(({ metadata: { namespace = "" } }) =>
        missingRightsText(known.value.get(namespace) ?? NONE, action)
      ),
    );
    return texts.has(undefined) ? undefined : [...texts].join("; ");
  };
}

/** Requests rights and reports the result. */
function useRightsRequest() {
  const { source, session } = useApp();
  return (
    kind: "Workflow" | TemplateKind,
    namespace: string,
    name: string,
    signal: AbortSignal,
    onMissing: (lacks: MissingRightsByAction) => void,
  ) => {
    // Users who log in with a ticket have all rights.
    if (session.login === "ticket") return;
    source.missingRights(kind, namespace, name, signal).then((rights) => {
      if (!signal.aborted) onMissing(rights);
    }, (error) => {
      if (!signal.aborted && !(error instanceof Refusal)) throw error;
    });
  };
}
