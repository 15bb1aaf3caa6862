/**
 * The two signatures of a request, shortened and without header names: they are most of what is unusual about its
 * headers.
 */
import * as Records from "effect/Record"
import type { Unusual } from "./UsualHeaders.ts"

/** The signature of the spec as bytes in base64, and that of Standard Webhooks by one secret, without its version. */
export type Signed = readonly [spec: string, standard: string]

const names = ["X-Webhook-Signature", "webhook-signature"] as const

const version = "v1,"

/** The headers of signatures. This never changes, since rows of any age are read with it. */
const headersOf = ([spec, standard]: Signed): Unusual => ({
  [names[0]]: Buffer.from(spec, "base64").toString("hex"),
  [names[1]]: `${version}${standard}`
})

/** Splits the signatures off the headers. A signature that could not be restored exactly stays among the headers. */
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
