/** Login at a name node with Kerberos: SASL with GSS-API (RFC 4752), in frames of Hadoop's RPC. */
import type { Bytes } from "@tiphys/base/net";
import { kerberosError, MAX_OVERHEAD_BYTES, type Principal, SecurityContext, type Tickets } from "./kerberos/mod.ts";
import { encodeCall, readAnswer } from "./rpc_frames.ts";
import { Message, message } from "./rpc_messages.ts";
import type { Login } from "./rpc_name_node.ts";
import { createSealedWire } from "./sealed_conn.ts";
import type { Wire } from "./wire.ts";

/** The call ID of login messages and sealed data. */
const SASL_CALL = -33;

const STATE = { success: 0, negotiate: 1, initiate: 2, challenge: 3, response: 4, wrap: 5 };

/** Protection of calls after the login (`hadoop.rpc.protection`), the strongest first. */
const PROTECTIONS = [
  { bit: 4, isSealed: true, isHidden: true },
  { bit: 2, isSealed: true, isHidden: false },
  { bit: 1, isSealed: false, isHidden: false },
] as const;

/** The maximum size of a piece that we announce, the greatest value of the field. Name nodes send whole responses. */
const MAX_PIECE_BYTES = 0xffffff;

/** The data for a login. */
export interface KerberosLogin {
  readonly tickets: Tickets;
  /** Returns the service of a name node at a host. */
  readonly serviceAt: (hostname: string) => Principal;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/** Creates the login. */
export function kerberosLogin({ tickets, serviceAt, now }: KerberosLogin): Login {
  return async (wire, { node, client }, stop) => {
    const context = new SecurityContext(await tickets.get(serviceAt(node.hostname), stop), now());
    const call = { id: SASL_CALL, client, tries: 0 };
    const ask = async (state: number, token?: Uint8Array, chosen?: Uint8Array) => {
      await wire.write(encodeCall(call, [message([[2, state], [3, token], [4, chosen]])]));
      return await readAnswer(wire, { id: SASL_CALL, what: "hdfs: logging in" });
    };
    const offered = (await ask(STATE.negotiate)).allBytes(4);
    const chosen = offered.find((way) => wire.parseOrFail(() => new Message(way)).text(1) === "KERBEROS");
    if (!chosen) throw kerberosError("the name node does not accept Kerberos logins");
    context.complete(readToken(wire, await ask(STATE.initiate, context.begin(), chosen), STATE.challenge));
    const ways = context.unwrap(readToken(wire, await ask(STATE.response, new Uint8Array()), STATE.challenge), false);
    const [bits = 0, ...size] = ways;
    const protection = PROTECTIONS.find(({ bit }) => bits & bit);
    if (ways.length !== 4 || !protection) throw wire.protocolError("it offers no supported protection of calls");
    const max = protection.isSealed ? MAX_PIECE_BYTES : 0;
    const choice = Uint8Array.of(protection.bit, max >> 16, max >> 8, max);
    const last = await ask(STATE.response, context.wrap(choice, false));
    if (last.number(2) !== STATE.success) throw wire.protocolError("it does not end the login");
    if (!protection.isSealed) return wire;
    const { isHidden } = protection;
    const mostBytes = Math.max(1, size.reduce((sum, byte) => sum * 256 + byte, 0) - MAX_OVERHEAD_BYTES);
    return createSealedWire(wire, {
      mostBytes,
      send: (piece) => wire.write(encodeCall(call, [message([[2, STATE.wrap], [3, context.wrap(piece, isHidden)]])])),
      async receive(): Promise<Bytes> {
        const answer = await readAnswer(wire, { id: SASL_CALL, what: "hdfs: a sealed answer" });
        return context.unwrap(readToken(wire, answer, STATE.wrap), isHidden);
      },
    });
  };
}

function readToken(wire: Wire, answer: Message, state: number): Uint8Array {
  const token = answer.bytes(3);
  if (answer.number(2) !== state || !token) throw wire.protocolError("unexpected step in the login");
  return token;
}
