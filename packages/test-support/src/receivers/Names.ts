/** Names that resolve as tests need them, none of which leaves the machine. */
import { layerStatic, makeRecordUnsafe } from "effect/net/Dns"
import * as NetAddress from "effect/net/NetAddress"

/** DNS records for an address, written as text. */
export const record = (text: string) => {
  const address = NetAddress.ipFromStringUnsafe(text)
  return NetAddress.isIpv4Address(address)
    ? makeRecordUnsafe("A", { address })
    : makeRecordUnsafe("AAAA", { address })
}

export const names = layerStatic({
  records: {
    "hooks.example.com": [record("127.0.0.1")],
    "mixed.example.com": [record("2606:4700::1"), record("93.184.215.14"), record("10.0.0.8")],
    "twice.example.com": [record("93.184.215.14"), record("93.184.215.15")],
    "public.example.com": [record("93.184.215.14")]
  },
  // What only the system knows, by its hosts file.
  hosts: { "build.internal": ["127.0.0.1"], "hosted.example.com": ["93.184.215.14"] }
})
