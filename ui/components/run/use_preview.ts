/** The preview in a dialog, computed by code that is loaded on demand. */
import { useEffect } from "preact/hooks";
import * as words from "../../model/text/en/run_dialogs.ts";

/**
 * Computes a preview again whenever `facts` change, and shows the last one while the dialog is open; if the computation
 * fails, shows the reason.
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
      const reason = words.previewFailed(error instanceof Error ? error.message : error);
      if (isShown) show({ kind: "refused", reason });
    });
    return () => {
      isShown = false;
    };
  }, facts);
}
