/** Words of the greetings above the list of runs. */

export const helpLink = "Help";
/** To who is here for the first time: the key that tells the keys, and the way to the help. */
export const newHere = <Part>(key: Part, help: Part) => [
  "New here? A key opens most things: ",
  key,
  " tells which, and ",
  help,
  " has the rest.",
];
export const newRelease = (release: string, before: string) =>
  `Release ${release} is here; it was ${before} at your last visit.`;
export const question = "How do you get on with this page? The answer goes into the log of this server.";
export const goodButton = "Good";
export const notSoGoodButton = "Not so good";
export const thanks = "Thank you.";
