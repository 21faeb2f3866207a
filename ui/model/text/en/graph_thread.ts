/** Texts of the worker that lays out large graphs. */

export const threadFailed = (reason: string) => `The graph worker failed: ${reason}`;
