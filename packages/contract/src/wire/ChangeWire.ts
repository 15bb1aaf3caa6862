/** The stream of what changes in an account. */
import { ChangedKind } from "@runhook/core/domain/account/AccountChange"
import { AccountId, AnyId } from "@runhook/core/domain/Ids"
import * as Schema from "effect/Schema"
import { RequestId } from "../RequestId.ts"

/** An event of one name. Not every event has a position behind it. */
const event = <const Name extends string, Data extends Schema.Top>(name: Name, data: Data) =>
  Schema.Struct({
    event: Schema.Literal(name),
    id: Schema.optionalKey(
      Schema.String.annotate({ description: "The position behind it, for `Last-Event-ID`." })
    ),
    data: Schema.fromJsonString(data)
  })

const Hello = Schema.Struct({
  account_id: AccountId,
  is_resumed: Schema.Boolean.annotate({
    description: "Whether it goes on behind the position that was asked for."
  }),
  request_id: RequestId
})

export const Changed = Schema.Struct({
  kind: ChangedKind,
  id: AnyId,
  state: Schema.NullOr(Schema.String).annotate({
    description: "The word that its own record has for how it stands; null where there is none."
  }),
  is_new: Schema.Boolean
})

export const Many = Schema.Struct({ kinds: Schema.Array(ChangedKind) })

const Reset = Schema.Record(Schema.String, Schema.Json)

export const ChangeEvent = Schema.Union([
  event("hello", Hello),
  event("change", Changed),
  event("many", Many),
  event("reset", Reset)
])
export type ChangeEvent = typeof ChangeEvent.Type
