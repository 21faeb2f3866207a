/** The choice of a file of this machine: a button that opens the browser's own dialog. */
import { useRef } from "preact/hooks";

interface Props {
  readonly label: string;
  /** The ends of the names that are offered first. */
  readonly accept: string;
  readonly onFile: (file: File) => void;
}

/** The button. */
export function FileChoice({ label, accept, onFile }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class="button" onClick={() => input.current?.click()}>{label}</button>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          // The same file can be chosen again after it has changed.
          event.currentTarget.value = "";
          if (file) onFile(file);
        }}
      />
    </>
  );
}
