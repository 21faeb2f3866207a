/** The slider that shows a run at an earlier moment. */
import { durationText } from "../../model/duration.ts";
import * as words from "../../model/text/en/run_page.ts";

interface Props {
  readonly moments: { readonly from: number; readonly to: number } | undefined;
  readonly at: number;
  readonly onSlide: (time: number) => void;
  readonly onChoose: (time: number | undefined) => void;
}

/** The slider; renders nothing if the run has not started. */
export function ReplaySlider({ moments, at, onSlide, onChoose }: Props) {
  if (!moments) return null;
  const { from, to } = moments;
  const text = words.momentText(durationText(Math.max(0, at - from)), durationText(to - from));
  return (
    <div class="replay">
      <label class="row">
        <span>{words.replayField}</span>
        <input
          type="range"
          min={from}
          max={to}
          step={1000}
          value={at}
          aria-valuetext={text}
          onInput={(event) => onSlide(Number(event.currentTarget.value))}
          onChange={(event) => onChoose(Number(event.currentTarget.value))}
        />
        <span class="number">{text}</span>
      </label>
      <button type="button" class="button" onClick={() => onChoose(undefined)}>{words.backToNowButton}</button>
    </div>
  );
}
