/** sprig's functions that Tiphys knows by name only: certificates, and asking the network. */
import { ANY_SLICE, type GoType, STRING } from "../../../go/mod.ts";
import { fail } from "../failure.ts";
import { define, type Functions } from "./define.ts";

const LISTS = { list: ANY_SLICE };
/** What Go returns is a struct of two PEM texts. */
const CERTIFICATE: GoType = { kind: "struct", text: "sprig.certificate", defined: true };

function refuse(name: string, parameters: string, result: GoType = CERTIFICATE) {
  const reason = `sprig.${name} is not available: expressions neither make certificates nor use the network`;
  return define(parameters, result, () => fail(reason), { fails: true, types: LISTS });
}

export const UNAVAILABLE: Functions = {
  getHostByName: refuse("getHostByName", "string", STRING),
  genPrivateKey: refuse("genPrivateKey", "string", STRING),
  buildCustomCert: refuse("buildCustomCert", "string string"),
  genCA: refuse("genCA", "string int"),
  genCAWithKey: refuse("genCAWithKey", "string int string"),
  genSelfSignedCert: refuse("genSelfSignedCert", "string list list int"),
  genSelfSignedCertWithKey: refuse("genSelfSignedCertWithKey", "string list list int string"),
  genSignedCert: refuse("genSignedCert", "string list list int any"),
  genSignedCertWithKey: refuse("genSignedCertWithKey", "string list list int any string"),
};
