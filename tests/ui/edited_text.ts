/** Reads and writes the text of the manifest editor. */
import type { Locator, Page } from "playwright-core";

/** The text area of an editor. */
export interface EditedText {
  readonly area: Locator;
  /** The visible lines, which are all lines of a short manifest. */
  read(): Promise<string>;
  /** Replaces the whole text by pasting. */
  fill(text: string): Promise<void>;
  /** Drops a file on the text. */
  drop(name: string, content: string): Promise<void>;
}

/** The text area with a label. */
export function editedText(page: Page, name: string | RegExp): EditedText {
  const area = page.getByRole("textbox", { name });
  return {
    area,
    read: () =>
      area.evaluate((element) =>
        [...(element as unknown as ParentNodeLike).querySelectorAll(".cm-line")].map((line) => line.textContent ?? "")
          .join("\n")
      ),
    async fill(text) {
      await area.focus();
      await page.keyboard.press("ControlOrMeta+a");
      await area.evaluate((element, text) => {
        const { DataTransfer, ClipboardEvent } = globalThis as unknown as PasteWorld;
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", text);
        element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      }, text);
    },
    async drop(name, content) {
      await area.evaluate((element, { name, content }) => {
        const { DataTransfer, DragEvent } = globalThis as unknown as PasteWorld;
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([content], name));
        const event = { dataTransfer, bubbles: true, cancelable: true, composed: true };
        element.dispatchEvent(new DragEvent("drop", event));
      }, { name, content });
    },
  };
}

/** Types of the browser that Deno's types lack. */
interface ParentNodeLike {
  querySelectorAll(selector: string): Iterable<{ readonly textContent: string | null }>;
}
interface PasteWorld {
  readonly DataTransfer: new () => {
    setData(type: string, text: string): void;
    readonly items: { add(file: File): void };
  };
  readonly DragEvent: new (type: string, options: object) => Event;
  readonly ClipboardEvent: new (type: string, options: object) => Event;
}
