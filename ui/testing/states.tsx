/**
 * Tables of states: each state of a component is rendered, and checked by the test and by axe. Tests import this before
 * modules of the page.
 */
import "./dom.ts";
import { type ComponentType, options } from "preact";
import { type Scene, Screen } from "./shown.tsx";

export { NOW, type Scene, Screen } from "./shown.tsx";

/** One state of a component, and the check of its content. */
export interface State extends Scene {
  readonly check?: ((shown: Screen) => void | Promise<void>) | undefined;
  /** Skips axe, if another state has the same elements. */
  readonly withoutAxe?: boolean | undefined;
}

/** Components that were rendered since the state began. */
const drawn = new Set<unknown>();
const { diffed } = options;
options.diffed = (node) => {
  drawn.add(node.type);
  diffed?.(node);
};

// deno-lint-ignore no-explicit-any -- components of all properties
type Subject = ComponentType<any> | ((props: any) => unknown);

/**
 * Registers a test for each state of a component, or of components that are shown together. A test fails where one of
 * them is not drawn, axe finds something, an exception is thrown, a request has no answer, or something of the page is
 * left.
 */
export function states(subject: Subject | readonly Subject[], table: Readonly<Record<string, State>>): void {
  const subjects = Array.isArray(subject) ? subject : [subject];
  const title = subjects.map(({ name }) => name).join(", ");
  for (const [name, { check, withoutAxe = false, ...scene }] of Object.entries(table)) {
    Deno.test(`${title}: ${name}`, async () => {
      drawn.clear();
      const shown = new Screen(scene);
      try {
        await shown.settled();
        await check?.(shown);
        const missing = subjects.filter((subject) => !drawn.has(subject)).map(({ name }) => name);
        if (missing.length > 0) throw new Error(`Not shown: ${missing.join(", ")}`);
        if (!withoutAxe) await shown.accessible();
      } catch (error) {
        await shown[Symbol.asyncDispose]().catch(() => {});
        throw error;
      }
      await shown[Symbol.asyncDispose]();
    });
  }
}
