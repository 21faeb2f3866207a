/** The count of what the page still waits for, as an attribute that tests wait for: `data-settled`. */

let waiting = 0;

/** Says that something is waited for, until it is disposed. */
export function unsettled(): Disposable {
  waiting++;
  tell();
  let isOver = false;
  return {
    [Symbol.dispose]() {
      if (isOver) return;
      isOver = true;
      waiting--;
      // The answer that was waited for is drawn in the next frame; what is shown by it has asked before that, as it does so
      // when it is laid out.
      requestAnimationFrame(tell);
    },
  };
}

function tell(): void {
  document.documentElement.dataset.settled = String(waiting === 0);
}
