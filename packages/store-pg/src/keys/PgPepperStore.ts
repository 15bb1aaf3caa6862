/** The pepper in PostgreSQL. */
import { PepperStore } from "@runhook/core/keys/sealing/PepperStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { patient, upkeepPatience } from "../connections/Deadline.ts"
import { text } from "../sql/Parameters.ts"
import { decodedFirst, idempotentOrDefect, upkeepOrDefect } from "../sql/SqlErrors.ts"

const Kept = Schema.Struct({ ciphertext: Schema.String })

export const layer = Layer.effect(
  PepperStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient

    const find = decodedFirst(Kept)(sql`SELECT ciphertext FROM service_secrets WHERE purpose = 'pepper'`)

    return PepperStore.of({
      // A start waits, and no caller with it.
      find: patient(upkeepPatience)(idempotentOrDefect(Effect.map(find, (kept) => kept?.ciphertext ?? null))),

      findOrKeep: Effect.fnUntraced(function* (sealed) {
        // Of several at once, the others wait here until the first has committed, and then read what it has kept.
        yield* sql`
          INSERT INTO service_secrets (purpose, ciphertext)
          VALUES ('pepper', ${text(sealed)})
          ON CONFLICT (purpose) DO NOTHING`
        return (yield* find)?.ciphertext ?? sealed
      }, upkeepOrDefect)
    })
  })
)
