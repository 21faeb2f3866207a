/** Texts of the frame around every page: navigation, the namespace selector, and errors of the page. */

// The frame around every page

export const brand = "Tiphys";
export const documentTitle = (page: string) => `${page} · ${brand}`;
export const skipLink = "Skip to content";

/** Links to the pages. */
export const pagesLabel = "Pages";
export const runs = "Runs";
export const templates = "Templates";
export const schedules = "Schedules";
export const events = "Events";
export const reports = "Reports";
export const you = "Settings";
export const help = "Help";
export const api = "API";
/** Opens the documentation of the current page. */
export const docsLink = "Docs of this page";
export const logIn = "Log in";
export const noSuchPage = "Page not found";
export const searchButton = "Search";

export const goToRuns = "Go to runs";
export const goToTemplates = "Go to templates";
export const goToSchedules = "Go to schedules";
export const goToEvents = "Go to events";
export const goToReports = "Go to reports";
export const goToYou = "Go to settings";
export const goToHelp = "Go to help";
export const goToApi = "Go to the API";
export const allKeysAction = "All keys";
export const copyLinkAction = "Copy the link of this page";
/** Opens a saved view. */
export const viewAction = (name: string) => `View: ${name}`;

export const notFoundHeading = "Page not found";
export const showAllRuns = "Show all runs";
export const mistypedAddress = "The address may be mistyped, or from another version.";

export const paletteLabel = "Search or run an action";

export const newVersion = (server: string, page: string) => `The server now runs ${server}; this page is from ${page}.`;
export const newPageButton = "Load new version";

/** An error of the page itself, and its consequence. */
export const mayBeOutdated = (fault: string) => `${fault} The page may be out of date.`;
export const partMissing = "A part of this page could not be loaded.";
export const pageError = (message: string) => `This page has an error: ${message}.`;
export const unknownFault = "unknown error";
export const reloadButton = "Reload";
export const cannotBeShown = "This page cannot be shown";
export const cannotDraw = "The page cannot display the server's response.";
export const fallbackHint = "Reload it, or run tiphys get in a terminal.";

// The namespace selector

export const allNamespaces = "all";
