/**
 * The progress of a secret key's replacement, on the wire. Keys are named by ids
 * that reveal nothing about them.
 */
import * as Schema from "effect/Schema"
import { described } from "../shared/Described.ts"
import { bodyOf } from "../shared/Envelope.ts"

export const SecretKeysResealed = bodyOf(
  "SecretKeysResealed",
  "Every signing secret that could be opened is now sealed under the newest secret key.",
  {
    newest_key: Schema.String,
    older_keys: Schema.Array(Schema.String).pipe(
      described(
        "The secret keys after the first, under which nothing is sealed: remove old ones once every process has started with the newest as the first."
      )
    ),
    resealed: Schema.Int.pipe(described("Signing secrets that this call has sealed again.")),
    broken: Schema.Int.pipe(described("Signing secrets that no configured secret key opens."))
  }
)
