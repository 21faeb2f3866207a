/** Words that say whether the page shows the present state. */

export const connecting = "catching up";
export const live = "live";
export const offlineFor = (duration: string) => `offline for ${duration}`;
export const refused = "not shown";
