/** Words of the thread that makes large graphs. */

export const threadFailed = (reason: string) => `The thread of the graph failed: ${reason}`;
