/** Maximum number of workflows on a page of the archive, regardless of the requested limit. */
export const MAX_PAGE_SIZE = 5000;
