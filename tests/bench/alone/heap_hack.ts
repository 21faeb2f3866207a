import { measureBeside } from "./measure.ts";
const [c, out, n] = Deno.args;
console.log(n, await measureBeside(c!, Number(n), { podMillis: 100, profile: out }));
