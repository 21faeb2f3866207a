/** Tables of states: each state of a component is shown, checked and judged by axe. Tests import this before the page. */
import "./dom.ts";
import { type ComponentType, options } from "preact";
import { type Scene, Shown } from "./shown.tsx";

export { NOW, type Scene, Shown } from "./shown.tsx";

/** One state of a component: what is shown, and what a person finds there. */
export interface State extends Scene {
  readonly check?: ((shown: Shown) => void | Promise<void>) | undefined;
  /** Whether axe is left out: another state shows the same elements. */
  readonly withoutAxe?: boolean | undefined;
}

/** Components that were drawn since the state began. */
const drawn = new Set<unknown>();
const { diffed } = options;
options.diffed = (node) => {
  drawn.add(node.type);
  diffed?.(node);
};

/**
 * Registers a test for each state of a component. Each fails where the component is not drawn, axe finds something, an
 * exception is thrown, a request has no answer, or something of the page is left afterwards.
 */
// deno-lint-ignore no-explicit-any -- components of all properties
export function states(component: ComponentType<any>, table: Readonly<Record<string, State>>): void {
  for (const [name, { check, withoutAxe = false, ...scene }] of Object.entries(table)) {
    Deno.test(`${component.displayName ?? component.name}: ${name}`, async () => {
      drawn.clear();
      const shown = new Shown(scene);
      try {
        await shown.settled();
        await check?.(shown);
        if (!drawn.has(component)) throw new Error("The component was not shown");
        if (!withoutAxe) await shown.accessible();
      } catch (error) {
        await shown[Symbol.asyncDispose]().catch(() => {});
        throw error;
      }
      await shown[Symbol.asyncDispose]();
    });
  }
}
