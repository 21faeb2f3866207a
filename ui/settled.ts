/** Counts what the page is waiting for in the attribute `data-settled`, which tests read. */

let waiting = 0;

/** Counts one more item until it is disposed. */
export function trackPending(): Disposable {
  waiting++;
  notify();
  let isOver = false;
  return {
    [Symbol.dispose]() {
      if (isOver) return;
      isOver = true;
      waiting--;
      // The result is rendered in the next frame; requests of components rendered by it start before this callback.
      requestAnimationFrame(notify);
    },
  };
}

function notify(): void {
  document.documentElement.dataset.settled = String(waiting === 0);
}
