/** Components that are loaded when they are first shown, so that the list is there before the editor. */
import type { ComponentChild, ComponentType } from "preact";
import { signal } from "@preact/signals";
import { unsettled } from "../settled.ts";

/** A component that stands for one that is loaded, and the way to load that before it is shown. */
export type LazyComponent<P> = ComponentType<P> & { readonly load: () => void };

/** Makes one; `waiting` is what is shown until it is there. */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: () => ComponentChild = () => <p class="muted">Loading …</p>,
): LazyComponent<P> {
  const loaded = signal<ComponentType<P> | undefined>(undefined);
  let loading: Promise<void> | undefined;
  const loadOnce = () => void (loading ??= fetchIt());
  return Object.assign(function Lazy(props: P) {
    const { value: Component } = loaded;
    if (Component) return <Component {...props} />;
    loadOnce();
    return waiting();
  }, { load: loadOnce });

  async function fetchIt(): Promise<void> {
    using _waiting = unsettled();
    const component = await load();
    loaded.value = component;
  }
}
