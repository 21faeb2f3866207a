/** Words of the frame around every page: the way to the others, the field of the palette, and what is said where a page fails. */

export const brand = "Tiphys";
export const documentTitle = (page: string) => `${page} · ${brand}`;
export const skipLink = "To the content";

/** The links to the pages. */
export const pagesLabel = "Pages";
export const runs = "Runs";
export const templates = "Templates";
export const schedules = "Schedules";
export const events = "Events";
export const reports = "Reports";
export const you = "You";
export const help = "Help";
export const api = "API";
export const logIn = "Log in";
export const noSuchPage = "No such page";
export const searchButton = "Search";

export const goToRuns = "Go to runs";
export const goToTemplates = "Go to templates";
export const goToSchedules = "Go to schedules";
export const goToEvents = "Go to events";
export const goToReports = "Go to reports";
export const goToYou = "Go to you and settings";
export const goToHelp = "Go to help";
export const goToApi = "Go to the API";
export const allKeysAction = "All keys";
export const copyLinkAction = "Copy the link of this page";
/** Goes to a view that somebody saved. */
export const viewAction = (name: string) => `View: ${name}`;

export const thereIsNoSuchPage = "There is no such page";
export const showAllRuns = "Show all runs";
export const mistypedAddress = "The address may be mistyped, or of another version.";

export const paletteLabel = "Search or do something";

export const newVersion = (server: string, page: string) => `The server is ${server} now; this page is of ${page}.`;
export const newPageButton = "Load the new page";

/** A mistake of the page itself, and what follows from it. */
export const mayBeOutdated = (fault: string) => `${fault} What is shown may be out of date.`;
export const partMissing = "A part of this page could not be loaded.";
export const wentWrong = (message: string) => `Something on this page went wrong: ${message}.`;
export const unknownFault = "nothing is known of it";
export const reloadButton = "Reload";
export const cannotBeShown = "This cannot be shown";
export const cannotDraw = "The page cannot draw what the server answered.";
export const otherWays = "Reload it, or look at the command line: tiphys get.";
