/**
 * Components that are loaded when they are first shown, so that the list is there before the editor. One that cannot be
 * loaded says so in its place.
 */
import type { ComponentChild, ComponentType } from "preact";
import { signal } from "@preact/signals";
import { asRefusal, loadPart, type Refusal } from "../api/refusal.ts";
import { Dialog } from "../components/dialog.tsx";
import * as words from "../model/text/en/lazy.ts";
import { unsettled } from "../settled.ts";
import * as shared from "../model/text/en/shared.ts";
import { Refused } from "./refused.tsx";

/** A component that stands for one that is loaded, and the way to load that before it is shown. */
export type LazyComponent<P> = ComponentType<P> & { readonly load: () => void };

/** What is shown of one that is not there: until it is, and where it cannot be loaded. */
interface Instead<P> {
  readonly waiting: (props: P) => ComponentChild;
  readonly failed: (props: P, refusal: Refusal, again: () => void) => ComponentChild;
}

/** Makes one; `waiting` is what is shown until it is there. */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: (props: P) => ComponentChild = () => <p class="coming">{shared.loading}</p>,
): LazyComponent<P> {
  return lazily(load, {
    waiting,
    failed: (_props, refusal, again) => <Refused refusal={refusal} onAgain={again} />,
  });
}

function lazily<P extends object>(load: () => Promise<ComponentType<P>>, instead: Instead<P>): LazyComponent<P> {
  const loaded = signal<ComponentType<P> | undefined>(undefined);
  const failed = signal<Refusal | undefined>(undefined);
  let loading: Promise<void> | undefined;
  const loadOnce = () => void (loading ??= fetchIt());
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

  async function fetchIt(): Promise<void> {
    using _waiting = unsettled();
    try {
      const component = await loadPart(load);
      loaded.value = component;
    } catch (error) {
      failed.value = asRefusal(error);
    }
  }
}

/** The same for a dialog: nothing is shown until it is there; where it cannot be loaded, a dialog in its place says so. */
export function lazyDialog<P extends { readonly onClose: () => void }>(
  load: () => Promise<ComponentType<P>>,
): LazyComponent<P> {
  return lazily(load, {
    waiting: () => null,
    failed: ({ onClose }, refusal, again) => (
      <Dialog title={words.missingDialogTitle} onClose={onClose}>
        <Refused refusal={refusal} onAgain={again} />
      </Dialog>
    ),
  });
}
