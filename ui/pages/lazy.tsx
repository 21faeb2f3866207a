/**
 * Components that are loaded when they are first shown, so that the list is there before the editor. One that cannot be
 * loaded says so in its place.
 */
import type { ComponentChild, ComponentType } from "preact";
import { signal } from "@preact/signals";
import { asRefusal, loadPart, type Refusal } from "../api/refusal.ts";
import { useApp } from "../app.ts";
import { RefusalCard } from "../components/refusal_card.tsx";
import { unsettled } from "../settled.ts";
import * as shared from "../model/text/en/shared.ts";

/** A component that stands for one that is loaded, and the way to load that before it is shown. */
export type LazyComponent<P> = ComponentType<P> & { readonly load: () => void };

/** Makes one; `waiting` is what is shown until it is there. */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: () => ComponentChild = () => <p class="muted">{shared.loading}</p>,
): LazyComponent<P> {
  const loaded = signal<ComponentType<P> | undefined>(undefined);
  const failed = signal<Refusal | undefined>(undefined);
  let loading: Promise<void> | undefined;
  const loadOnce = () => void (loading ??= fetchIt());
  return Object.assign(function Lazy(props: P) {
    const { login } = useApp().session;
    const { value: Component } = loaded;
    if (Component) return <Component {...props} />;
    if (failed.value) return <RefusalCard refusal={failed.value} login={login} />;
    loadOnce();
    return waiting();
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

/** The same for what stands in front of the page: nothing is shown of it until it is there. */
export function lazyDialog<P extends object>(load: () => Promise<ComponentType<P>>): LazyComponent<P> {
  const Part = lazy(load, () => null);
  return Object.assign(function LazyDialog(props: P) {
    return (
      <div class="in-front">
        <Part {...props} />
      </div>
    );
  }, { load: Part.load });
}
