/** Texts of the indicator that shows whether the page is up to date. */

export const connecting = "catching up";
export const live = "live";
export const offlineFor = (duration: string) => `offline for ${duration}`;
export const refused = "not updating";
