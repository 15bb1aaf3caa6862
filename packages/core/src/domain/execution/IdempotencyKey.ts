/** The caller's name for one request: repeating the request under it makes no second execution. */
import * as Schema from "effect/Schema"

export const IdempotencyKey = Schema.String.check(
  Schema.isPattern(/^[\x21-\x7E]{1,255}$/u, { expected: "1 to 255 visible ASCII characters" })
)
