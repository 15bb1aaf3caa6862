/** `runhook deliveries`: lists and replays callbacks. The flags follow the admin API's requests. */
import { AnswerClass, DeliveryCause } from "@runhook/core/domain/delivery/AttemptCause"
import { DeliveryState } from "@runhook/core/domain/delivery/Delivery"
import { UrlOrigin } from "@runhook/core/domain/delivery/UrlOrigin"
import { WebhookEventType } from "@runhook/core/domain/delivery/WebhookEventType"
import { ApiKeyId, EventId, ExecutionId } from "@runhook/core/domain/Ids"
import { pageSizeDefault, pageSizeMax } from "@runhook/core/domain/Page"
import { Timestamp } from "@runhook/core/domain/Timestamp"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { callAndPrint } from "./AdminClient.ts"
import { accountFlag, idFlag } from "./NamingFlags.ts"

const params = {
  account_id: accountFlag,
  id: idFlag("delivery", { id: EventId, description: "The id of the delivery, which is the event's too" })
}

const instantFlag = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withSchema(Timestamp),
    Flag.withMetavar("timestamp"),
    Flag.withDescription(description),
    Flag.optional
  )

const PageSize = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: pageSizeMax }))

const list = Command.make(
  "list",
  {
    params: { account_id: accountFlag },
    status: Flag.Literals("status", DeliveryState.literals).pipe(
      Flag.withDescription("Their state; may be repeated (default: any)"),
      Flag.atLeast(0)
    ),
    type: Flag.Literals("type", WebhookEventType.literals).pipe(
      Flag.withDescription("The type of their event"),
      Flag.optional
    ),
    executionId: idFlag("execution", { id: ExecutionId, description: "The execution that caused them" }).pipe(
      Flag.optional
    ),
    keyId: idFlag("key", {
      id: ApiKeyId,
      description: "The key whose executions or tests they tell of"
    }).pipe(Flag.optional),
    answer: Flag.Literals("answer", AnswerClass.literals).pipe(
      Flag.withDescription("The answer to the latest attempt; none if it failed without one"),
      Flag.optional
    ),
    cause: Flag.Literals("cause", DeliveryCause.literals).pipe(
      Flag.withDescription("Why the latest attempt failed"),
      Flag.optional
    ),
    origin: Flag.String("url-origin").pipe(
      Flag.withSchema(UrlOrigin),
      Flag.withMetavar("origin"),
      Flag.withDescription("Scheme, host and port of their URL"),
      Flag.optional
    ),
    text: Flag.String("search").pipe(
      Flag.withMetavar("text"),
      Flag.withDescription("A part of the event type or URL, or an id"),
      Flag.optional
    ),
    from: instantFlag("from", "Created at or after"),
    to: instantFlag("to", "Created at or before"),
    limit: Flag.Int("limit").pipe(
      Flag.withSchema(PageSize),
      Flag.withDescription("How many at most"),
      Flag.withDefault(pageSizeDefault)
    )
  },
  (asked) => {
    const query = {
      ...(asked.status.length > 0 && { status: asked.status }),
      ...whenGiven(asked.type, (type) => ({ type })),
      ...whenGiven(asked.executionId, (execution_id) => ({ execution_id })),
      ...whenGiven(asked.keyId, (key_id) => ({ key_id })),
      ...whenGiven(asked.answer, (answer) => ({ answer })),
      ...whenGiven(asked.cause, (cause) => ({ cause })),
      ...whenGiven(asked.origin, (url_origin) => ({ url_origin })),
      ...whenGiven(asked.text, (q) => ({ q })),
      ...whenGiven(asked.from, (from) => ({ from })),
      ...whenGiven(asked.to, (to) => ({ to })),
      limit: asked.limit
    }
    return callAndPrint((client) => client.deliveries.list({ params: asked.params, query }))
  }
).pipe(
  Command.withDescription("List the deliveries of an account, newest first"),
  Command.withExamples([
    {
      command: "runhook deliveries list --account <uuid> --status dead --search receiver.example.com",
      description: "What a receiver has never taken"
    }
  ])
)

const show = Command.make("show", { params }, (request) =>
  callAndPrint((client) => client.deliveries.get(request))
).pipe(Command.withDescription("Show a delivery with its payload, its attempts and what it waits for"))

const replay = Command.make("replay", { params }, (request) =>
  callAndPrint((client) => client.deliveries.replay(request))
).pipe(Command.withDescription("Send a settled delivery again: same event id, same body, fresh signature"))

export const deliveriesCommand = Command.make("deliveries").pipe(
  Command.withDescription("List, show and replay webhook deliveries"),
  Command.withSubcommands([list, show, replay])
)

const whenGiven = <A, Fields>(flag: Option.Option<A>, fields: (value: A) => Fields) =>
  Option.match(flag, { onNone: () => ({}), onSome: fields })
