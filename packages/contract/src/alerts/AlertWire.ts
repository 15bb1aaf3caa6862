/** Alerts and the targets that are told of them, on the wire. */
import { AlertKind, keptFor, troubleCountsTo } from "@runhook/core/alerts/Alert"
import { AlertChannel, targetsMax } from "@runhook/core/alerts/AlertTarget"
import { AccountId, AlertTargetId } from "@runhook/core/shared/Ids"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { described } from "../shared/Described.ts"
import { bodyOf } from "../shared/Envelope.ts"

/** Longest URL of a target, in characters. */
const addressMax = 2_048

const kinds = Schema.Array(AlertKind)
  .check(Schema.isMinLength(1), Schema.isUnique())
  .pipe(described("Which alerts it gets."))

const pausedUntil = Schema.NullOr(Timestamp).pipe(
  described("Nothing is sent before. After that it is told what is still open; null: no pause.")
)

const chosen = { kinds: Schema.optionalKey(kinds), paused_until: Schema.optionalKey(pausedUntil) }

export const NewAlertTargetBody = Schema.Struct({
  channel: AlertChannel,
  address: Schema.String.check(Schema.isBetweenLength(1, addressMax)).pipe(
    described("The URL of the webhook, or one e-mail address.")
  ),
  ...chosen
}).annotate({ identifier: "CreateAlertTarget", description: "It gets all kinds of alerts unless given." })

export const AlertTargetChangeBody = Schema.Struct(chosen).annotate({ identifier: "UpdateAlertTarget" })

const fields = {
  id: AlertTargetId,
  channel: AlertChannel,
  address: Schema.String.pipe(
    described("The e-mail address, or the origin of the URL: its path may let others post to a chat.")
  ),
  kinds,
  paused_until: pausedUntil,
  failures: Schema.Int.pipe(described("Messages in a row that were not taken.")),
  last_error: Schema.NullOr(Schema.String).pipe(
    described("Why the last one was not taken; null if it was, or if there was none.")
  ),
  last_sent_at: Schema.NullOr(Timestamp).pipe(described("When it took a message last. Tests do not count.")),
  next_attempt_at: Schema.NullOr(Timestamp).pipe(described("The next message is sent then or later.")),
  created_at: Timestamp,
  updated_at: Timestamp
}

export const AlertTargetItem = Schema.Struct(fields).annotate({
  identifier: "AlertTarget",
  description: "Somebody who is told of alerts."
})

export const AlertTargetDetail = bodyOf("AlertTargetDetail", "Somebody who is told of alerts.", fields)

export const AlertTargetCreated = bodyOf(
  "AlertTargetCreated",
  "The target, with its signing secret, shown this once.",
  {
    ...fields,
    signing_secret: Schema.NullOr(Schema.String).pipe(
      described("Verifies the signatures of its webhooks; null for e-mail.")
    )
  }
)

export const AlertTargetList = bodyOf(
  "AlertTargetList",
  `All targets, oldest first: at most ${targetsMax}.`,
  {
    data: Schema.Array(AlertTargetItem)
  }
)

export const AlertTargetTested = bodyOf("AlertTargetTested", "What came of a test.", {
  taken: Schema.Boolean.pipe(described("Whether the receiver, or the mail server, took it.")),
  error: Schema.NullOr(Schema.String).pipe(described("Why not; null if it was taken."))
})

export const AlertItem = Schema.Struct({
  kind: AlertKind,
  account_id: AccountId,
  account_name: Schema.String,
  subject: Schema.NullOr(Schema.String).pipe(
    described("The id of the agent or task, or the origin of the receiver; null for the account itself.")
  ),
  title: Schema.String,
  detail: Schema.String,
  advice: Schema.String.pipe(described("What to do.")),
  count: Schema.Int.pipe(
    described(`Callbacks or executions that it is about. The count stops at ${troubleCountsTo}.`)
  ),
  url: Schema.NullOr(Schema.String).pipe(
    described("Where the Integrations page shows it; null without one.")
  ),
  since: Timestamp.pipe(described("When it began, as far as that is known.")),
  opened_at: Timestamp,
  closed_at: Schema.NullOr(Timestamp).pipe(described("When it was over; null while it is open."))
}).annotate({ identifier: "Alert", description: "Something that is wrong in an account, or was." })

export const AlertList = bodyOf(
  "AlertList",
  `Those that are open first, each part newest first. An alert is shown for ${Duration.toDays(keptFor)} days after its end.`,
  {
    data: Schema.Array(AlertItem),
    is_more: Schema.Boolean.pipe(described("Whether there are more than are listed."))
  }
)
