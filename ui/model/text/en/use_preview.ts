/** Words of a plan that cannot be made. */

export const noPlan = (reason: unknown) => `There is no plan: ${reason}`;
