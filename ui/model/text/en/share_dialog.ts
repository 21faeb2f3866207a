/** Words of the dialog that shares a run, or the newest run of something: its link, and its widgets. */

export const shareButton = "Share";
export const title = (name: string) => `Share ${name}`;
export const linkField = "Link to this page";
export const badgeHeading = "State in a line";
export const aboutBadge = "Shows how the newest run stands, as it works.";
export const graphHeading = "Graph";
export const aboutGraph = "Shows the graph of the newest run, as it works.";
export const frameField = "HTML of a frame that shows it";
export const openLink = "Open it alone";
export const copyButton = "Copy";
export const copyOf = (what: string) => `Copy: ${what}`;
export const copied = "Copied";
export const targetField = "Frame or tab in which a click opens the run";
export const optionsField = "With buttons to zoom";
export const sizeField = "Height of a node, in pixels";
/** Widgets show nothing where the server lets nobody frame them. */
export const mayBeRefused =
  "Other pages may show these only where the server was started with --widget-ancestor and their origin.";
