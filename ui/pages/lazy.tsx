/** Components that are loaded when they are first shown, so that the list is there before the editor. */
import type { ComponentType } from "preact";
import { signal } from "@preact/signals";
import { unsettled } from "../settled.ts";

/** A component that stands for one that is loaded. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const loaded = signal<ComponentType<P> | undefined>(undefined);
  let loading: Promise<void> | undefined;
  return function Lazy(props: P) {
    const { value: Component } = loaded;
    if (Component) return <Component {...props} />;
    loading ??= fetchIt();
    return <p class="muted">Loading …</p>;
  };

  async function fetchIt(): Promise<void> {
    using _waiting = unsettled();
    const component = await load();
    loaded.value = component;
  }
}
