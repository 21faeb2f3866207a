/** Renders a component or a page in a DOM test, and simulates the user. */
import { BASE, closeModal, copied, faults, hasFrames } from "./dom.ts";
import { fireEvent, within } from "@testing-library/dom";
import { signal } from "@preact/signals";
import axe from "axe-core";
import { type ComponentChild, render } from "preact";
import { startKeys } from "../actions.ts";
import { argoSource } from "../api/argo_source.ts";
import type { Session } from "../api/session.ts";
import type { ServerInfo } from "../api/source.ts";
import { AppContext } from "../app.ts";
import { startNavigation } from "../navigation.ts";
import { type Answers, serve, type ServedRequest } from "./server.ts";

/** The current time of all DOM tests. */
export const NOW = "2026-03-04T12:00:00Z";

/** The component under test, and the responses of its server. */
export interface Scene {
  /** The element to render; for a page, the frame at the address `at`. */
  readonly view: ComponentChild;
  /** The address below the base: `workflows/argo/hello?tab=logs`. */
  readonly at?: string | undefined;
  readonly answers?: Answers | undefined;
  readonly session?: Partial<Session> | undefined;
  /** Matches expected errors, which do not fail the test. */
  readonly faults?: RegExp | undefined;
}

type Name = string | RegExp | ((name: string) => boolean);

/** The maximum number of turns of the event loop to wait for a condition, so that tests do not hang. */
const MAX_TURNS = 1_000;

const navigation = startNavigation(BASE);
startKeys();

/** A part of the screen, with queries by role and label. */
export class ScreenPart {
  readonly #element: HTMLElement;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** Returns the elements with a role and an accessible name. */
  all(role: string, name?: Name): HTMLElement[] {
    return within(this.#element).queryAllByRole(role, { ...(name === undefined ? {} : { name }), hidden: true });
  }

  /**
   * Returns the only element with a role and an accessible name. @throws {Error} if it does not exist or is not unique
   */
  one(role: string, name?: Name): HTMLElement {
    const found = this.all(role, name);
    if (found.length === 1) return found[0]!;
    throw new Error(`Expected one ${role} ${name?.toString() ?? ""}, found ${found.length} in\n${this.picture}`);
  }

  has(role: string, name?: Name): boolean {
    return this.all(role, name).length > 0;
  }

  /** Returns the field with a label. */
  field(label: Name): HTMLInputElement {
    return within(this.#element).getByLabelText(label, { selector: "input, select, textarea" });
  }

  /** The text of the part. */
  get text(): string {
    return this.#element.textContent ?? "";
  }

  /** The HTML of the part, for error messages. */
  get picture(): string {
    return (this.#element.querySelector("dialog, main") ?? this.#element).outerHTML.slice(0, 4_000);
  }
}

/** A rendered component. Disposing it removes it, and checks that it leaves nothing behind. */
export class Screen extends ScreenPart implements AsyncDisposable {
  readonly #server: ReturnType<typeof serve>;
  readonly #expected: RegExp | undefined;

  constructor({ view, at = "", answers = {}, session = {}, faults: expected }: Scene) {
    super(document.body);
    this.#expected = expected;
    faults.length = copied.length = 0;
    localStorage.clear();
    history.replaceState(null, "", BASE + at);
    document.defaultView?.dispatchEvent(new PopStateEvent("popstate"));
    this.#server = serve(answers);
    const source = argoSource({ base: BASE, authorization: () => undefined, fetch: this.#server.fetch });
    const info = signal<ServerInfo>({
      managedNamespace: "",
      links: [],
      columns: [],
      navColor: "",
      greetings: [],
      prices: undefined,
      extensions: undefined,
    });
    source.info().then((value) => info.value = value);
    const app = {
      source,
      session: {
        login: "token",
        modes: ["client"],
        authorization: () => undefined,
        cookies: () => "",
        useToken() {},
        ...session,
      } satisfies Session,
      info,
      version: signal("v1.2.3"),
      now: signal(Date.parse(NOW)),
      ...navigation,
    };
    render(<AppContext.Provider value={app}>{view}</AppContext.Provider>, document.getElementById("page")!);
  }

  /** The requests so far that change something: all but GET. */
  get changes(): readonly ServedRequest[] {
    return this.#server.requests.filter(({ method }) => method !== "GET");
  }

  /** All requests so far. */
  get requests(): readonly ServedRequest[] {
    return this.#server.requests;
  }

  /** The address below the base. */
  get address(): string {
    return location.href.slice(BASE.length);
  }

  /** Returns the only element with a role and a name, for queries inside it. */
  within(role: string, name?: Name): ScreenPart {
    return new ScreenPart(this.one(role, name));
  }

  /** Waits for the only element with a role and a name. */
  async find(role: string, name?: Name): Promise<HTMLElement> {
    await this.until(() => this.all(role, name).length === 1, `one ${role} ${name?.toString() ?? ""}`);
    return this.one(role, name);
  }

  /** Waits until a condition holds. */
  async until(fact: () => boolean, what = fact.toString()): Promise<void> {
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      if (fact()) return;
      if (this.#faults().length > 0) break;
      await waitForNextTask();
    }
    throw new Error(`Timed out waiting for ${[what, ...this.#faults()].join("\n")} in\n${this.picture}`);
  }

  /** Waits until responses have arrived and are drawn, and no part of the page is loading. */
  async settled(): Promise<void> {
    let quiet = 0;
    await this.until(() => {
      const { inFlight, hasHanging } = this.#server;
      const isWaiting = document.documentElement.dataset.settled === "false" && !hasHanging;
      const isBusy = hasFrames() || inFlight > 0 || isWaiting;
      quiet = isBusy ? 0 : quiet + 1;
      return quiet > 2;
    }, "a settled page");
  }

  async click(element: Element): Promise<void> {
    if (element instanceof HTMLElement) element.focus();
    fireEvent.click(element);
    await waitForNextTask();
  }

  async type(field: Element, text: string): Promise<void> {
    fireEvent.input(field, { target: { value: text } });
    fireEvent.change(field);
    await waitForNextTask();
  }

  /** Presses keys in sequence, on an element or on the focused one. */
  async press(key: string, on: Element = document.activeElement ?? document.body): Promise<void> {
    const isPrevented = !fireEvent.keyDown(on, { key });
    fireEvent.keyUp(on, { key });
    if (key === "Escape" && !isPrevented) closeModal();
    await waitForNextTask();
  }

  /** Checks accessibility with axe. @throws {Error} that lists the violations */
  async accessible(): Promise<void> {
    const { violations } = await axe.run(document, { resultTypes: ["violations"], rules: WITHOUT_LAYOUT });
    const messages = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 300)}`));
    if (messages.length > 0) throw new Error(`axe: ${messages.join("\n")}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    render(null, document.getElementById("page")!);
    delete document.documentElement.dataset.settled;
    await this.until(() => !hasFrames() && this.#server.inFlight === 0, "no frames and no requests");
    await waitForNextTask();
    const found = this.#faults();
    if (found.length > 0) throw new Error(`Faults: ${found.join("\n")}`);
  }

  #faults(): readonly string[] {
    return faults.filter((fault) => !this.#expected?.test(fault));
  }
}

/** Rules of axe that need a layout or a whole page, and are checked by journeys in a browser. */
const WITHOUT_LAYOUT = {
  "color-contrast": { enabled: false },
  region: { enabled: false },
  "page-has-heading-one": { enabled: false },
  "landmark-one-main": { enabled: false },
};

function waitForNextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
