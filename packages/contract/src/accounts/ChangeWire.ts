/** The stream of what changes in an account. */
import { ChangedKind } from "@runhook/core/accounts/AccountChange"
import { AccountId, AnyId } from "@runhook/core/shared/Ids"
import * as Schema from "effect/Schema"
import { RequestId } from "../RequestId.ts"

/** An event of one name. Not every event has a position after it. */
const event = <const Name extends string, Data extends Schema.Top>(name: Name, data: Data) =>
  Schema.Struct({
    event: Schema.Literal(name),
    id: Schema.optionalKey(
      Schema.String.annotate({ description: "The position after it, for `Last-Event-ID`." })
    ),
    data: Schema.fromJsonString(data)
  })

const Hello = Schema.Struct({
  account_id: AccountId,
  is_resumed: Schema.Boolean.annotate({
    description: "Whether the stream continues from the requested position."
  }),
  request_id: RequestId
})

export const Changed = Schema.Struct({
  kind: ChangedKind,
  id: AnyId,
  state: Schema.NullOr(Schema.String).annotate({
    description: "Its state, in the words of its own record; null if it has none."
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
