/** The address bar: parses the address, and follows links within the page without a reload. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { GoOptions } from "./app.ts";
import { addressOf, type PageAddress, parsePageAddress } from "./model/place.ts";

/** The current place, and functions to change it. */
export interface Navigation {
  readonly place: ReadonlySignal<PageAddress>;
  go(place: PageAddress, options?: GoOptions): void;
  hrefOf(place: PageAddress): string;
}

/** Starts to track the address. The base contains all places and has a trailing slash. */
export function startNavigation(base: string): Navigation {
  const below = () => {
    const { pathname, search } = location;
    const start = new URL(base).pathname;
    return parsePageAddress((pathname.startsWith(start) ? pathname.slice(start.length) : pathname) + search);
  };
  const place = signal(below());
  const show = () => {
    place.value = below();
  };
  const isWidget = (address: string) => address.startsWith(`${base}widgets/`);
  const push = (address: string, replace: boolean) => {
    if (address === location.href) return;
    // A page that may embed a widget may not embed other pages, so the address is requested from the server.
    if (isWidget(location.href) && !isWidget(address)) location.assign(address);
    else if (replace) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    show();
  };
  const hrefOf = (next: PageAddress) => base + addressOf(next);
  globalThis.addEventListener("popstate", show);
  document.addEventListener("click", (event) => {
    const link = linkOf(event);
    if (!link || !link.href.startsWith(base) || link.hash !== "") return;
    event.preventDefault();
    const isOtherPage = link.pathname !== location.pathname;
    push(link.href, false);
    if (isOtherPage) scrollTo(0, 0);
  });
  return { place, hrefOf, go: (next, { replace = false } = {}) => push(hrefOf(next), replace) };
}

/** Returns the link of a plain click; undefined if the browser should handle it: open a tab, download, follow. */
function linkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.composedPath().find((eventTarget): eventTarget is HTMLAnchorElement =>
    eventTarget instanceof HTMLAnchorElement
  );
  if (
    !link || link.target !== "" && link.target !== "_self" || link.hasAttribute("download") || "native" in link.dataset
  ) return undefined;
  return link;
}
