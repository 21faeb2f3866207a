/** The inner size of an element, for components that render only the visible part. */
import { useLayoutEffect, useState } from "preact/hooks";
import type { Extent } from "../../model/graph/camera.ts";

/** Returns the size in pixels; `first` until it was measured. */
export function useExtent(box: { readonly current: HTMLElement | null }, first: Extent): Extent {
  const [extent, setExtent] = useState(first);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setExtent({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return extent;
}
