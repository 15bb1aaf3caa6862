/** Params with which a link fills the run form. */
import type { Json } from "@runhook/sdk/admin"

/** Undefined if the address has none, or no JSON. */
export const prefilledParams = (text: string | undefined): Json | undefined => {
  if (text === undefined) return undefined
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
