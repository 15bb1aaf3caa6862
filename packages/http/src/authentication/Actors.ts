/** On whose behalf a request is answered; the audit log names them beside what they change. */
import type { Member, Operator } from "@runhook/contract/Authorization"
import { type Actor, CurrentActor, type Identity } from "@runhook/core/audit/Actor"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import * as Effect from "effect/Effect"
import { type Call, CurrentCall } from "../pipeline/Call.ts"
import { addressOf, TrustedProxies } from "../pipeline/request/CallerAddress.ts"

/** An admin key has no name but its number among the operator's keys. */
export const adminActor = (caller: Operator | Member): Identity =>
  caller._tag === "Operator"
    ? { kind: "operator", id: null, name: `Admin key ${caller.place + 1}`, person: null }
    : { kind: "member", id: caller.sessionId, name: caller.name, person: caller.person }

export const keyActor = ({ id, name }: ApiKeyRecord): Identity => ({ kind: "key", id, name, person: null })

/** The actor of a request, with its address. */
export const actorOf = (
  who: Identity,
  { id, request }: Pick<Call, "id" | "request">,
  trustedProxies: number
): Actor => ({ ...who, fromAddress: addressOf(request, trustedProxies), requestId: id })

/** Runs an effect on behalf of that caller, with the address of the request. */
export const actingAs = Effect.fnUntraced(function* <A, E, R>(who: Identity, effect: Effect.Effect<A, E, R>) {
  const actor = actorOf(who, yield* CurrentCall, yield* TrustedProxies)
  return yield* Effect.provideService(effect, CurrentActor, actor)
})
