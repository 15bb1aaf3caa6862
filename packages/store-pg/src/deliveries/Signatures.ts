/**
 * The two signatures of a request, shortened and without their names: they are
 * most of what is unusual about its headers.
 */
import * as Records from "effect/Record"
import type { Unusual } from "./UsualHeaders.ts"

/** That of the spec, by its bytes in base64, and that of Standard Webhooks by one secret, without its version. */
export type Signed = readonly [spec: string, standard: string]

const names = ["X-Webhook-Signature", "webhook-signature"] as const

const version = "v1,"

/** The headers of signatures. Rows are read by it however old they are, so it never changes. */
const headersOf = ([spec, standard]: Signed): Unusual => ({
  [names[0]]: Buffer.from(spec, "base64").toString("hex"),
  [names[1]]: `${version}${standard}`
})

/** The headers but those of the signatures, and these; what does not come back as it was stays among the headers. */
export const withoutSignatures = (
  headers: Unusual
): { readonly sent?: Unusual; readonly signed?: Signed } => {
  const { [names[0]]: spec, [names[1]]: standard, ...sent } = headers
  const signed = [
    Buffer.from(spec ?? "", "hex").toString("base64"),
    (standard ?? "").slice(version.length)
  ] as const
  const again = headersOf(signed)
  const comesBack = again[names[0]] === spec && again[names[1]] === standard
  if (!comesBack) return { sent: headers }
  return Records.isEmptyRecord(sent) ? { signed } : { sent, signed }
}

export const withSignatures = (headers: Unusual = {}, signed?: Signed): Unusual =>
  signed === undefined ? headers : { ...headers, ...headersOf(signed) }
