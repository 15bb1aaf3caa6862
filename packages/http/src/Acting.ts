/** On whose behalf a request is answered: what it changes is told of them in the audit log. */
import type { Member, Operator } from "@runhook/contract/Authorization"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import { type Actor, CurrentActor } from "@runhook/core/domain/Actor"
import type { ApiKeyRecord } from "@runhook/core/domain/ApiKeyRecord"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { addressOf, TrustedProxies } from "./CallerAddress.ts"

/** Who it is, wherever they call from. */
type Who = Pick<Actor, "id" | "kind" | "name">

/** An admin key has no name but its place among those that the operator has set. */
export const adminActor = (caller: Operator | Member): Who =>
  caller._tag === "Operator"
    ? { kind: "operator", id: null, name: `Admin key ${caller.place + 1}` }
    : { kind: "member", id: caller.sessionId, name: caller.name }

export const keyActor = ({ id, name }: ApiKeyRecord): Who => ({ kind: "key", id, name })

/** What the handler does is done on behalf of that caller, from where the request comes. */
export const actingAs = Effect.fnUntraced(function* <A, E, R>(who: Who, handler: Effect.Effect<A, E, R>) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const actor: Actor = {
    ...who,
    fromAddress: addressOf(request, yield* TrustedProxies),
    requestId: yield* CurrentRequestId
  }
  return yield* Effect.provideService(handler, CurrentActor, actor)
})
