/** Words of the bar of actions on selected runs while the actions are still loaded. */

export const selectedCount = (count: number) => `${count.toLocaleString("en")} selected`;
/** In the place of the actions. */
export const actionsComing = "Loading …";
