/** The plan of a dialog, made by what few visits need and which is loaded then. */
import { useEffect } from "preact/hooks";
import * as words from "../../model/text/en/use_preview.ts";

/**
 * Makes a preview anew with each change of `facts`, and shows the last one while the dialog is open; where it cannot be
 * made, that there is none, and why.
 */
export function usePreview<T>(
  make: () => Promise<T>,
  show: (preview: T | { readonly kind: "refused"; readonly reason: string }) => void,
  facts: readonly unknown[],
): void {
  useEffect(() => {
    let isShown = true;
    make().then((preview) => {
      if (isShown) show(preview);
    }).catch((error) => {
      const reason = words.noPlan(error instanceof Error ? error.message : error);
      if (isShown) show({ kind: "refused", reason });
    });
    return () => {
      isShown = false;
    };
  }, facts);
}
