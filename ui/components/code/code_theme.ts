/** Colors and sizes of the text field from the page's design tokens, which are inherited into the shadow root. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--works)" },
  { tag: tags.string, color: "var(--done)" },
  { tag: [tags.number, tags.atom], color: "var(--waits)" },
  { tag: [tags.comment, tags.meta], color: "var(--muted)", fontStyle: "italic" },
  { tag: tags.labelName, color: "var(--error)" },
  { tag: tags.punctuation, color: "var(--idle)" },
]);

const UNDERLINE = "underline wavy 1px";
const TIP = {
  border: "1px solid var(--border)",
  borderRadius: "var(--r4)",
  background: "var(--ground)",
  color: "var(--text)",
  boxShadow: "0 4px 16px var(--shade)",
};

const THEME = EditorView.theme({
  "&": {
    minHeight: "260px",
    maxHeight: "max(260px, min(70vh, 660px))",
    border: "1px solid var(--border)",
    borderRadius: "var(--r4)",
    background: "var(--ground)",
    color: "var(--text)",
    fontSize: "var(--size-13)",
  },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { font: "var(--size-13) / 20px var(--mono)", overflow: "auto" },
  ".cm-content": { padding: "var(--s8) 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 var(--s8)" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "var(--hover)" },
  ".cm-gutters": {
    border: "0",
    borderInlineEnd: "1px solid var(--line)",
    background: "var(--panel)",
    color: "var(--muted)",
  },
  ".cm-foldGutter .cm-gutterElement": { padding: "0 var(--s4)", cursor: "pointer" },
  ".cm-foldPlaceholder": {
    border: "1px solid var(--border)",
    borderRadius: "var(--r4)",
    background: "var(--panel)",
    color: "var(--text)",
    padding: "0 var(--s4)",
  },
  "&.cm-focused .cm-matchingBracket": { background: "var(--selected)", outline: "1px solid var(--accent)" },
  "&.cm-focused .cm-nonmatchingBracket": { background: "none", outline: "1px solid var(--failed)" },
  ".tag, .tag *": { color: "var(--error)" },
  ".cm-lintRange": { backgroundImage: "none", paddingBottom: "0" },
  ".cm-lintRange-error": { textDecoration: `${UNDERLINE} var(--failed)` },
  ".cm-lintRange-warning": { textDecoration: `${UNDERLINE} var(--waits)` },
  ".cm-lintRange-active": { background: "var(--selected)" },
  ".cm-gutter-lint": { width: "12px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0" },
  ".cm-lint-marker": {
    width: "8px",
    height: "8px",
    margin: "6px 2px",
    border: "4px solid var(--failed)",
    boxSizing: "border-box",
  },
  ".cm-lint-marker-error, .cm-lint-marker-warning": { content: "normal" },
  ".cm-lint-marker-warning": { borderColor: "var(--waits)", borderRadius: "4px" },
  ".cm-tooltip": TIP,
  ".cm-tooltip.cm-tooltip-hover": { maxWidth: "min(480px, 90vw)" },
  ".cm-diagnostic": {
    padding: "var(--s4) var(--s8)",
    borderLeft: "4px solid var(--failed)",
    font: "var(--size-13) / 20px var(--font)",
    overflowWrap: "anywhere",
  },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--waits)" },
  ".about": { padding: "var(--s4) var(--s8)", font: "var(--size-12) / 20px var(--font)", overflowWrap: "anywhere" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    maxHeight: "248px",
    minWidth: "min(320px, 90vw)",
    maxWidth: "min(480px, 95vw)",
    padding: "var(--s4)",
    font: "var(--size-13) / 20px var(--mono)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    display: "flex",
    flexWrap: "wrap",
    justifyContent: "space-between",
    alignItems: "center",
    columnGap: "var(--s12)",
    minHeight: "24px",
    padding: "0 var(--s8)",
    borderRadius: "var(--r4)",
    overflowWrap: "anywhere",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--selected)",
    color: "var(--text)",
    outline: "1px solid var(--accent)",
    outlineOffset: "-1px",
  },
  ".cm-completionDetail": {
    margin: "0",
    color: "var(--muted)",
    font: "var(--size-12) / 20px var(--font)",
    fontStyle: "normal",
  },
  ".cm-panels": { background: "var(--panel)", color: "var(--text)", zIndex: "3" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-searchMatch": { background: "var(--selected)", outline: "1px solid var(--border)" },
  ".cm-searchMatch-selected": { background: "var(--selected)", outline: "2px solid var(--accent)" },
  ".find": {
    display: "flex",
    flexWrap: "wrap",
    gap: "var(--s8)",
    alignItems: "center",
    padding: "var(--s8)",
    font: "var(--size-13) / 20px var(--font)",
  },
  ".find input:not([type]), .find button": {
    minHeight: "28px",
    padding: "0 var(--s8)",
    border: "1px solid var(--border)",
    borderRadius: "var(--r4)",
    background: "var(--ground)",
    color: "var(--text)",
    font: "inherit",
  },
  ".find input:not([type])": { flex: "1 1 160px", minWidth: "0" },
  ".find label": { display: "flex", gap: "var(--s4)", alignItems: "center", minHeight: "24px" },
  ".find button:hover": { background: "var(--hover)" },
  ".find :focus-visible": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  "@media (pointer: coarse)": {
    ".find input:not([type]), .find button, .find label": { minHeight: "44px" },
  },
});

/** The theme of the field. */
export const CODE_THEME: Extension = [THEME, syntaxHighlighting(COLOURS)];
