/**
 * Reaping of orphans. As the first process of its container, the emissary inherits processes whose parent has exited,
 * and must wait for them.
 */

const P_ALL = 0;
const WNOHANG = 1;
const WEXITED = 4;
const WNOWAIT = 0x0100_0000;

/** The offset of `si_pid` in siginfo_t on 64-bit Linux, and the size of that structure. */
const SI_PID_OFFSET = 16;
const SIGINFO_BYTES = 128;

const SYMBOLS = {
  waitid: { parameters: ["i32", "u32", "buffer", "i32"], result: "i32" },
  waitpid: { parameters: ["i32", "pointer", "i32"], result: "i32" },
} as const;

/**
 * Reaps every exited child except `own`, whose exit status Deno must read itself, until it is disposed of. Reacts to
 * SIGCHLD and never polls. Does nothing unless this process is the first of its container.
 */
export function reapOrphans(own: number): Disposable {
  if (Deno.pid !== 1) return { [Symbol.dispose]() {} };
  const libc = Deno.dlopen("libc.so.6", SYMBOLS);
  const answer = new Uint8Array(SIGINFO_BYTES);
  const deadChild = () => {
    answer.fill(0);
    const failed = libc.symbols.waitid(P_ALL, 0, answer, WEXITED | WNOHANG | WNOWAIT) !== 0;
    return failed ? 0 : new DataView(answer.buffer).getInt32(SI_PID_OFFSET, true);
  };
  const reap = () => {
    // WNOWAIT keeps the child: if this code reaped `own`, Deno would wait for it forever.
    for (let pid = deadChild(); pid > 0 && pid !== own; pid = deadChild()) libc.symbols.waitpid(pid, null, WNOHANG);
  };
  Deno.addSignalListener("SIGCHLD", reap);
  reap();
  return {
    [Symbol.dispose]() {
      Deno.removeSignalListener("SIGCHLD", reap);
      libc.close();
    },
  };
}
