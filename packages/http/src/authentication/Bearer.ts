/** The key that a request presents: `Authorization: Bearer <key>` (RFC 9110, section 11). */
import type { Headers } from "effect/http/Headers"
import * as Redacted from "effect/Redacted"

const bearer = /^bearer +(.+)$/i

/** Empty if none is presented. */
export const bearerOf = ({ authorization = "" }: Headers): Redacted.Redacted =>
  Redacted.make(bearer.exec(authorization)?.[1] ?? "")
