/** The most workflows of a page of the archive, whatever is asked for: who wants more goes on behind it. */
export const LONGEST_PAGE = 5000;
