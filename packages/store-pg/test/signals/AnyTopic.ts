/** Topics of every kind, for properties. */
import { wordOf } from "@runhook/core/accounts/AccountChange"
import { AccountId, AgentId, ApiKeyId, ExecutionId, SessionId } from "@runhook/core/shared/Ids"
import type { Word } from "@runhook/store-pg/signals/NotifyPayload"
import * as Schema from "effect/Schema"

/** An id as it is shown: in lower case. */
const Id = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
)

const Kind = Schema.Literals([
  "work",
  "execution",
  "key",
  "poll",
  "session",
  "anything",
  "changed",
  "changes_lost",
  "deliveries",
  "jobs",
  "signing_secrets",
  "sweeps"
])

/** What a topic that concerns other processes is made from. */
export const AnyTopic = Schema.Struct({ kind: Kind, id: Id })

export const topicOf = ({ id, kind }: typeof AnyTopic.Type): Exclude<Word, `watching:${AccountId}`> => {
  switch (kind) {
    case "work":
      return `work:${AccountId.make(id)}:${AgentId.make(id)}`
    case "changed":
      return wordOf({
        accountId: AccountId.make(id),
        kind: "execution",
        thing: { id, state: "awaiting_input", isNew: false }
      })
    case "poll":
      return `poll:${SessionId.make(id)}`
    case "execution":
      return `execution:${ExecutionId.make(id)}`
    case "key":
      return `key:${ApiKeyId.make(id)}`
    case "session":
      return `session:${SessionId.make(id)}`
    default:
      return kind
  }
}
