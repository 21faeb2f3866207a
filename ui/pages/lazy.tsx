/**
 * Components that load when they are first shown, so that the list appears before the editor is loaded. One that fails
 * to load shows the error.
 */
import type { ComponentChild, ComponentType } from "preact";
import { signal } from "@preact/signals";
import { asRefusal, loadPart, type Refusal } from "../api/refusal.ts";
import { Dialog } from "../components/dialog.tsx";
import { trackPending } from "../settled.ts";
import * as shared from "../model/text/en/shared.ts";
import { Refused } from "./refused.tsx";

/** A component that is loaded on demand, and a function to load it in advance. */
export type LazyComponent<P> = ComponentType<P> & { readonly load: () => void };

/** Rendered while a component is loading, and if it fails. */
interface Placeholders<P> {
  readonly waiting: (props: P) => ComponentChild;
  readonly failed: (props: P, refusal: Refusal, retry: () => void) => ComponentChild;
}

/** Creates a lazy component; `waiting` is rendered until it is loaded. */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: (props: P) => ComponentChild = () => <p class="coming">{shared.loading}</p>,
): LazyComponent<P> {
  return createLazy(load, {
    waiting,
    failed: (_props, refusal, retry) => <Refused refusal={refusal} onAgain={retry} />,
  });
}

function createLazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  instead: Placeholders<P>,
): LazyComponent<P> {
  const loaded = signal<ComponentType<P> | undefined>(undefined);
  const failed = signal<Refusal | undefined>(undefined);
  let loading: Promise<void> | undefined;
  const loadOnce = () => void (loading ??= loadComponent());
  const again = () => {
    failed.value = undefined;
    loading = undefined;
    loadOnce();
  };
  return Object.assign(function Lazy(props: P) {
    const { value: Component } = loaded;
    if (Component) return <Component {...props} />;
    if (failed.value) return instead.failed(props, failed.value, again);
    loadOnce();
    return instead.waiting(props);
  }, { load: loadOnce });

  async function loadComponent(): Promise<void> {
    using _waiting = trackPending();
    try {
      const component = await loadPart(load);
      loaded.value = component;
    } catch (error) {
      failed.value = asRefusal(error);
    }
  }
}

/** Creates a lazy dialog: nothing is rendered until it is loaded, and a dialog with the error if it fails. */
export function lazyDialog<P extends { readonly onClose: () => void }>(
  load: () => Promise<ComponentType<P>>,
): LazyComponent<P> {
  return createLazy(load, {
    waiting: () => null,
    failed: ({ onClose }, refusal, retry) => (
      <Dialog title={shared.missingDialogTitle} onClose={onClose}>
        <Refused refusal={refusal} onAgain={retry} />
      </Dialog>
    ),
  });
}
