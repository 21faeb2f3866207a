/** Texts of the dialog that shares a run, or the latest run of an object: its link, and its widgets. */

export const shareButton = "Share";
export const title = (name: string) => `Share ${name}`;
export const linkField = "Link to this page";
export const badgeHeading = "Status badge";
export const aboutBadge = "Shows the live status of the newest run.";
export const graphHeading = "Graph";
export const aboutGraph = "Shows the live graph of the newest run.";
export const frameField = "HTML to embed it";
export const openLink = "Open in a new tab";
export const copyButton = "Copy";
export const copyOf = (subject: string) => `Copy: ${subject}`;
export const copied = "Copied";
export const targetField = "Target frame or tab";
export const optionsField = "Show zoom buttons";
export const sizeField = "Height of a node, in pixels";
/** Widgets are empty when the server does not allow framing. */
export const framingNote =
  "To embed these in another page, start the server with --widget-ancestor and the origin of that page.";
