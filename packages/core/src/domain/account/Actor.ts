/** Who does something, and from where: the audit log names them beside what they changed. */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import { AnyId } from "../Ids.ts"
import { isStorableText } from "../json/JsonText.ts"

/**
 * `operator`: by an admin key. `member`: a person, signed in to the account.
 * `key`: an integration key. `service`: the service by itself, or its host.
 */
export const ActorKind = Schema.Literals(["operator", "member", "key", "service"])
export type ActorKind = typeof ActorKind.Type

const Text = Schema.String.check(isStorableText)

export const Actor = Schema.Struct({
  kind: ActorKind,
  /** Of the key or the session; null for operators, whose keys have none, and for the service. */
  id: Schema.NullOr(AnyId),
  name: Text,
  /** The address that the request came from; null when no request did. */
  fromAddress: Schema.NullOr(Text),
  requestId: Schema.NullOr(Text)
})
export type Actor = typeof Actor.Type

/** Whether it is somebody who looks after an account, and not a key whose daily work it is. */
export const isAdministrator = ({ kind }: Actor): boolean => kind === "operator" || kind === "member"

/** Does what nobody asked for in a request: what a start sets up, and what a host does in its own code. */
export const theService: Actor = {
  kind: "service",
  id: null,
  name: "Runhook",
  fromAddress: null,
  requestId: null
}

/**
 * On whose behalf work is done. Whoever takes requests provides it around the
 * work; stores read it when they write an entry, so that no method has to be told.
 */
export const CurrentActor = Context.Reference<Actor>("@runhook/core/domain/CurrentActor", {
  defaultValue: () => theService
})
