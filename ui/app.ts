/** The parts that every page needs, handed down by context. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ReadonlySignal } from "@preact/signals";
import type { Session } from "./api/session.ts";
import type { ServerInfo, Source } from "./api/source.ts";
import type { Place } from "./model/place.ts";

/** Ways to change the address. */
export interface GoOptions {
  /** Replaces the entry of the history, as for typed letters: Back undoes choices, not letters. */
  readonly replace?: boolean;
}

/** The page as its parts see it. */
export interface App {
  readonly source: Source;
  readonly session: Session;
  readonly place: ReadonlySignal<Place>;
  go(place: Place, options?: GoOptions): void;
  /** The address of a place, for links. */
  hrefOf(place: Place): string;
  readonly info: ReadonlySignal<ServerInfo>;
  readonly version: ReadonlySignal<string>;
  /** Now, moved each second while something runs. */
  readonly now: ReadonlySignal<number>;
}

/** The context that holds it. */
export const AppContext = createContext<App | undefined>(undefined);

/** The app around a component. @throws {Error} outside of one. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("Expected a component below AppContext");
  return app;
}
