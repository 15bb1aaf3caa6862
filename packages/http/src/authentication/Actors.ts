/** On whose behalf a request is answered: what it changes is told of them in the audit log. */
import type { Member, Operator } from "@runhook/contract/Authorization"
import { type Actor, CurrentActor } from "@runhook/core/domain/account/Actor"
import type { ApiKeyRecord } from "@runhook/core/domain/keys/ApiKeyRecord"
import * as Effect from "effect/Effect"
import { addressOf, TrustedProxies } from "../pipeline/CallerAddress.ts"
import { type Call, CurrentCall } from "../pipeline/Call.ts"

/** Who it is, wherever they call from. */
type Who = Pick<Actor, "id" | "kind" | "name">

/** An admin key has no name but its place among those that the operator has set. */
export const adminActor = (caller: Operator | Member): Who =>
  caller._tag === "Operator"
    ? { kind: "operator", id: null, name: `Admin key ${caller.place + 1}` }
    : { kind: "member", id: caller.sessionId, name: caller.name }

export const keyActor = ({ id, name }: ApiKeyRecord): Who => ({ kind: "key", id, name })

/** The actor of a request, with where it comes from. */
export const actorOf = (
  who: Who,
  { id, request }: Pick<Call, "id" | "request">,
  trustedProxies: number
): Actor => ({ ...who, fromAddress: addressOf(request, trustedProxies), requestId: id })

/** What the effect does is done on behalf of that caller, from where the request comes. */
export const actingAs = Effect.fnUntraced(function* <A, E, R>(who: Who, effect: Effect.Effect<A, E, R>) {
  const actor = actorOf(who, yield* CurrentCall, yield* TrustedProxies)
  return yield* Effect.provideService(effect, CurrentActor, actor)
})
