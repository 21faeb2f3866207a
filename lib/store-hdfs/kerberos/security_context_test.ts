import { assertEquals, assertThrows } from "@std/assert";
import { StoreError } from "@tiphys/model/artifact";
import { Element, fieldsOf, listOf } from "./asn1.ts";
import type { Key } from "./key.ts";
import type { Ticket } from "./messages.ts";
import { SecurityContext } from "./security_context.ts";
import { Acceptor, type AcceptorFaults } from "./testing/acceptor.ts";
import { newKey, sealed } from "./testing/kdc.ts";
import { application } from "./asn1.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

function ticketBy(serviceKey: Key): Ticket {
  const key = newKey(20);
  const within = fieldsOf([[0, "me"], [1, key.number], [2, key.exportBytes()], [3, "R"]]);
  const service = { realm: "R", parts: ["nn", "host"] };
  const name = fieldsOf([[0, 3], [1, listOf(service.parts)]]);
  const bytes = application(1, fieldsOf([[0, 5], [1, "R"], [2, name], [3, sealed(serviceKey, 2, within.bytes)]]));
  return { client: { realm: "R", parts: ["me"] }, service, bytes: new Element(bytes).bytes, key, end: NOW + 1000 };
}

function pair(faults: AcceptorFaults = {}) {
  const serviceKey = newKey();
  const context = new SecurityContext(ticketBy(serviceKey), NOW);
  const acceptor = new Acceptor(serviceKey, faults);
  return { context, acceptor, shake: () => context.complete(acceptor.accept(context.begin())) };
}

Deno.test("SecurityContext: both sides open sealed data, summed or encrypted, with either side's key", () => {
  for (const faults of [{}, { isPlain: true }, { turned: 5 }, { turned: 1000 }]) {
    const { context, acceptor, shake } = pair(faults);
    shake();
    assertEquals(acceptor.client, "me@R");
    for (const size of [0, 1, 100]) {
      const bytes = crypto.getRandomValues(new Uint8Array(size));
      for (const isHidden of [false, true]) {
        assertEquals(context.unwrap(acceptor.wrap(bytes, isHidden), isHidden), bytes);
        assertEquals(acceptor.unwrap(context.wrap(bytes, isHidden), isHidden), bytes);
      }
    }
  }
});

Deno.test("SecurityContext: rejects a service without the key of the ticket, or with a forged proof", () => {
  const forged = pair({ isForged: true });
  assertThrows(
    forged.shake,
    StoreError,
    "the service does not prove to be nn/host@R: its authenticator has another time",
  );
  const { context } = pair();
  for (const token of [new Uint8Array(), new TextEncoder().encode("no token at all"), context.begin()]) {
    assertThrows(() => context.complete(token), StoreError, "the service does not prove to be nn/host@R");
  }
  const other = new Acceptor(newKey());
  assertThrows(() => other.accept(context.begin()));
});

Deno.test("SecurityContext: rejects data that was modified, repeated or sealed less than negotiated", () => {
  const { context, acceptor, shake } = pair();
  shake();
  const bytes = new TextEncoder().encode("some bytes");
  const opening = (token: Uint8Array, isHidden = true) => () => context.unwrap(token, isHidden);
  const hidden = acceptor.wrap(bytes, true);
  for (const index of [0, 2, 3, 5, 15, 16, hidden.length - 1]) {
    const changed = hidden.slice();
    changed[index] = changed[index]! ^ 1;
    assertThrows(opening(changed), StoreError, "data sealed by the service cannot be opened");
  }
  assertThrows(opening(hidden.subarray(0, 20)), StoreError);
  assertThrows(opening(hidden, false), StoreError, "its flags do not match the negotiated protection");
  assertEquals(context.unwrap(hidden, true), bytes);
  assertThrows(opening(hidden), StoreError, "it is out of order");
  assertThrows(opening(acceptor.wrap(bytes, false)), StoreError, "its flags do not match the negotiated protection");
});
