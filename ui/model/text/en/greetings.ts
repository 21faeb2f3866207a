/** Texts of the greetings above the list of runs. */

export const helpLink = "Help";
/** Greets new users; `key` opens the list of keys, `help` links to the help page. */
export const newHere = <Part>(key: Part, help: Part) => [
  "New here? Press ",
  key,
  " for keyboard shortcuts, or read the ",
  help,
  ".",
];
export const newRelease = (release: string, before: string) =>
  `Updated to release ${release} since your last visit (${before}).`;
export const question = "How do you like this page? Your answer is recorded in this server's log.";
export const goodButton = "Good";
export const notSoGoodButton = "Not so good";
export const thanks = "Thank you.";
