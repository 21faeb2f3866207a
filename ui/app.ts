/** The state that every page uses, provided by context. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ReadonlySignal } from "@preact/signals";
import type { Session } from "./api/session.ts";
import type { ServerInfo, Source } from "./api/source.ts";
import type { PageAddress } from "./model/place.ts";

/** Options of navigation. */
export interface GoOptions {
  /** Replaces the history entry, as for typed text: Back undoes choices, not letters. */
  readonly replace?: boolean;
}

/** The application as its parts see it. */
export interface App {
  readonly source: Source;
  readonly session: Session;
  readonly place: ReadonlySignal<PageAddress>;
  go(place: PageAddress, options?: GoOptions): void;
  /** Returns the address of a place, for links. */
  hrefOf(place: PageAddress): string;
  readonly info: ReadonlySignal<ServerInfo>;
  readonly version: ReadonlySignal<string>;
  /** The current time, updated every second while something runs. */
  readonly now: ReadonlySignal<number>;
}

/** The context of the application. */
export const AppContext = createContext<App | undefined>(undefined);

/** Returns the application. @throws {Error} outside of its context */
export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("Expected a component below AppContext");
  return app;
}
