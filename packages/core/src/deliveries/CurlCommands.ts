/** Deliveries as shell commands, freshly signed, to try a receiver from anywhere. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { copiedAsCurl } from "../audit/ActivityEvents.ts"
import { curlCommand } from "./CurlCommand.ts"
import type { AccountId, EventId } from "../shared/Ids.ts"
import { AuditStore } from "../audit/AuditStore.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import * as SigningKeyring from "../keys/SigningKeyring.ts"
import { signedRequest } from "../signing/SignedRequest.ts"
import { toleranceSeconds } from "../signing/WebhookSignature.ts"
import { audited } from "../audit/Audited.ts"
import { useCase } from "../engine/UseCase.ts"

export interface CurlCommand {
  readonly command: string
  /** Receivers accept the request until then. */
  readonly expiresAt: DateTime.Utc
}

export class CurlCommands extends Context.Service<CurlCommands>()("@runhook/core/deliveries/CurlCommands", {
  make: Effect.gen(function* () {
    const audit = yield* AuditStore
    const store = yield* DeliveryStore
    const keysFor = yield* SigningKeyring.make

    /**
     * The request of a delivery with its body and event id, signed now. Pending or
     * settled, the delivery does not change; only the audit log does.
     */
    const make = useCase("CurlCommands.make")(
      function* (accountId: AccountId, id: EventId) {
        const { delivery } = yield* store.get(accountId, id)
        const at = yield* DateTime.now
        const keys = yield* keysFor(delivery, at)
        const expiresAt = DateTime.add(DateTime.startOf(at, "second"), { seconds: toleranceSeconds })
        yield* audit.add((yield* audited(copiedAsCurl))(delivery, expiresAt))
        const attempts = Math.max(1, delivery.attempts)
        return {
          command: curlCommand(signedRequest({ delivery: { ...delivery, attempts }, keys, at })),
          expiresAt
        }
      },
      // The operator must repair this: a key of the service is missing.
      Effect.catchTags({ SealBroken: Effect.die, SigningSecretInvalid: Effect.die })
    )

    return { make }
  })
}) {
  static readonly layer = Layer.effect(CurlCommands, CurlCommands.make)
}
