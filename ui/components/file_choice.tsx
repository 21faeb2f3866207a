/** A button that opens the browser's file dialog. */
import { useRef } from "preact/hooks";

interface Props {
  readonly label: string;
  /** The file extensions that are offered first. */
  readonly accept: string;
  readonly onFile: (file: File) => void;
}

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
          // Allows selecting the same file again after it changed.
          event.currentTarget.value = "";
          if (file) onFile(file);
        }}
      />
    </>
  );
}
