/** `runhook deliveries`: callbacks, and how to send them again. The flags follow the admin API's requests. */
import { AnswerClass, DeliveryCause } from "@runhook/core/domain/delivery/AttemptCause"
import { DeliveryState } from "@runhook/core/domain/delivery/Delivery"
import { WebhookEventType } from "@runhook/core/domain/delivery/WebhookEventType"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { show } from "../output/Output.ts"
import { called } from "./AdminClient.ts"
import { following, group, listing, ofAccount } from "./Catalog.ts"
import { jobFollowed } from "./Following.ts"
import { byId, optional } from "./Names.ts"

const text = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), optional)

/** What both a list and a replay of many are narrowed down by. */
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

const states = <const States extends ReadonlyArray<string>>(among: States, description: string) =>
  Flag.Literals("status", among).pipe(
    Flag.withDescription(`Their state; may be repeated (default: ${description})`),
    Flag.atLeast(0)
  )

const list = listing(
  {
    about: "List the deliveries of an account, newest first",
    takes: {
      ...filter,
      status: states(DeliveryState.literals, "any"),
      key_id: text("key", "id", "The key whose executions or tests they tell of")
    },
    columns: [
      "id",
      "type",
      "state",
      "attempts",
      "last_cause",
      "callback_url",
      "next_attempt_at",
      "created_at"
    ],
    examples: [
      {
        command: "runhook deliveries list --account Acme --status dead --search receiver.example.com",
        description: "What a receiver has never taken"
      }
    ]
  },
  (account, query) => account.deliveries.list(query)
)

const delivery = byId("delivery")

const get = ofAccount(
  "get",
  { about: "Show a delivery with its payload, its attempts and what it waits for", takes: { delivery } },
  (account, flags) => account.deliveries.get(flags.delivery)
)

const replay = ofAccount(
  "replay",
  { about: "Send a settled delivery again: same event id, same body, fresh signature", takes: { delivery } },
  (account, flags) => account.deliveries.replay(flags.delivery)
)

const replayAll = following(
  "replay-all",
  {
    about: "Send again all deliveries that match and are settled, and follow how far that is",
    takes: {
      chosen: {
        ...filter,
        status: states(["dead", "delivered", "cancelled"], "dead"),
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
  list,
  get,
  replay,
  replayAll
])
