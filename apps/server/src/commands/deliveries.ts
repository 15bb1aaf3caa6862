/** `runhook deliveries`: callbacks, and how to send them again. The flags follow the admin API's requests. */
import { AnswerClass, DeliveryCause } from "@runhook/core/deliveries/steps/AttemptCause"
import { WebhookEventType } from "@runhook/core/deliveries/WebhookEventType"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { show } from "../output/Output.ts"
import { called } from "./AdminClient.ts"
import { following, group } from "./Catalog.ts"
import { plain } from "./contract/PlainCommand.ts"
import { jobFollowed } from "./Following.ts"
import { optional } from "./Names.ts"

const text = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), optional)

/** What a replay of many is narrowed down by. */
const filter = {
  type: Flag.Literals("type", WebhookEventType.literals).pipe(
    Flag.withDescription("The type of their event"),
    optional
  ),
  execution_id: text("execution", "id", "The execution that caused them"),
  answer: Flag.Literals("answer", AnswerClass.literals).pipe(
    Flag.withDescription("The answer to the latest attempt; none if it failed without one"),
    optional
  ),
  cause: Flag.Literals("cause", DeliveryCause.literals).pipe(
    Flag.withDescription("Why the latest attempt failed"),
    optional
  ),
  url_origin: text("url-origin", "origin", "Scheme, host and port of their URL"),
  q: text("search", "text", "A part of the event type or URL, or an id"),
  from: text("from", "timestamp", "Created at or after"),
  to: text("to", "timestamp", "Created at or before")
}

const replayAll = following(
  "replay-all",
  {
    about: "Send again all deliveries that match and are settled, and follow how far that is",
    takes: {
      chosen: {
        ...filter,
        status: Flag.Literals("status", ["dead", "delivered", "cancelled"]).pipe(
          Flag.withDescription("Their state; may be repeated (default: dead)"),
          Flag.atLeast(0)
        ),
        last_only: Flag.Boolean("last-only").pipe(
          Flag.withDescription("Leave out events that a later one of their execution follows"),
          Flag.withDefault(false)
        )
      },
      isTrial: Flag.Boolean("dry-run").pipe(
        Flag.withDescription("Say what would be sent again, and send nothing"),
        Flag.withDefault(false)
      )
    },
    examples: [
      {
        command: "runhook deliveries replay-all --url-origin https://receiver.example.com --dry-run",
        description: "How many would a receiver that is back get?"
      }
    ]
  },
  Effect.fnUntraced(function* (account, { chosen: { status, ...some }, isTrial }) {
    const chosen = { ...some, ...(status.length > 0 && { status }) }
    if (isTrial) return yield* show(yield* called(() => account.deliveries.wouldReplay(chosen)))
    const { id } = yield* called(() => account.deliveries.replayAll(chosen))
    yield* jobFollowed(
      () => account.replays.get(id),
      ({ expected, replayed }) => ({ done: replayed, total: expected })
    )
  })
)

export const deliveriesCommand = group("deliveries", "List, show and replay webhook deliveries", [
  plain("deliveries", "list"),
  plain("deliveries", "get"),
  plain("deliveries", "replay"),
  replayAll
])
