/** Params that a link begins the run form with. */
import type { Json } from "@runhook/sdk/admin"

/** Undefined where the address has none, or something else. */
export const prefilled = (text: string | undefined): Json | undefined => {
  if (text === undefined) return undefined
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
