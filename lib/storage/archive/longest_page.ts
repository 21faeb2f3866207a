/** Maximum number of workflows on a page of the archive, regardless of the requested limit. */
export const LONGEST_PAGE = 5000;
