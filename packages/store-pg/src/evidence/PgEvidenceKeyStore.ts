/** The public keys of evidence in PostgreSQL. */
import { EvidenceKey } from "@runhook/core/evidence/EvidenceKey"
import { EvidenceKeyStore } from "@runhook/core/evidence/EvidenceKeyStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { text } from "../sql/Parameters.ts"
import { decoded, idempotentOrDefect } from "../sql/SqlErrors.ts"

export const layer = Layer.effect(
  EvidenceKeyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    return EvidenceKeyStore.of({
      keep: (keys) =>
        idempotentOrDefect(
          Effect.forEach(
            keys,
            ({ kid, x }) => sql`
              INSERT INTO evidence_keys (kid, x)
              VALUES (${text(kid)}, ${text(x)})
              ON CONFLICT (kid) DO NOTHING`,
            { discard: true }
          )
        ),
      list: idempotentOrDefect(decoded(EvidenceKey)(sql`SELECT kid, x FROM evidence_keys ORDER BY kid`))
    })
  })
)
