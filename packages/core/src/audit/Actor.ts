/** Who does something, and from where. The audit log names the actor beside the change. */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import { AnyId, PersonId } from "../shared/Ids.ts"
import { isStorableText } from "../shared/json/JsonText.ts"

/**
 * `operator`: by an admin key. `member`: a person who is signed in to the account.
 * `key`: an integration key. `service`: the service itself, or its host.
 */
export const ActorKind = Schema.Literals(["operator", "member", "key", "service"])
export type ActorKind = typeof ActorKind.Type

const Text = Schema.String.check(isStorableText)

export const Actor = Schema.Struct({
  kind: ActorKind,
  /** The id of the key or the session; null for operators, whose keys have none, and for the service. */
  id: Schema.NullOr(AnyId),
  name: Text,
  /** Identifies the person, whatever their name is; null for all but members. */
  person: Schema.NullOr(PersonId),
  /** The address of the request; null if there was none. */
  fromAddress: Schema.NullOr(Text),
  requestId: Schema.NullOr(Text)
})
export type Actor = typeof Actor.Type

/** The actor without the address they call from. */
export type Identity = Pick<Actor, "id" | "kind" | "name" | "person">

/** Whether the actor is a person who looks after an account, and not a key at its daily work. */
export const isAdministrator = ({ kind }: Actor): boolean => kind === "operator" || kind === "member"

/** The actor of what no request asks for: a start, a loop, or the code of a host. */
export const theService: Actor = {
  kind: "service",
  id: null,
  name: "Runhook",
  person: null,
  fromAddress: null,
  requestId: null
}

/** On whose behalf a use case works. Its caller provides this, and only use cases read it. */
export class CurrentActor extends Context.Service<CurrentActor, Actor>()(
  "@runhook/core/audit/CurrentActor"
) {}
