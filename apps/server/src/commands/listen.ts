/**
 * `runhook listen`: a developer's machine gets callbacks, through an endpoint that is made for the time and polled.
 * If the program is killed, the service removes the endpoint later. What is passed on is signed with a secret of this
 * machine: that of the endpoint lives as long as the endpoint.
 */
import { deliveryAttemptsMax } from "@runhook/core/deliveries/steps/DeliveryBackoff"
import { ExecutionEventType } from "@runhook/core/deliveries/WebhookEventType"
import { refusalsWaited } from "@runhook/core/deliveries/claim/DeliveryOrder"
import { messageLease } from "@runhook/core/endpoints/Messages"
import { signatureHeaders } from "@runhook/core/signing/SignedRequest"
import type { SigningKeys } from "@runhook/core/signing/SigningSecret"
import type { LogEntry } from "@runhook/sdk"
import type { WebhookMessage } from "@runhook/sdk/admin"
import * as Array from "effect/Array"
import * as Clock from "effect/Clock"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../logging/Reporting.ts"
import { isForPeople, Json } from "../output/Output.ts"
import { called } from "./AdminClient.ts"
import { type EndpointHolder, endpointHolder } from "./EndpointHolder.ts"
import { patient, wait } from "./Following.ts"
import { givenSecret, keptSecret } from "./ListenSecret.ts"
import { accountFlag, idsOf, optional, several } from "./Names.ts"
import { print, printError, visibleLine } from "../output/Writer.ts"

/** After so long without a fetch the service removes the endpoint. */
const remove_after_seconds = 3_600

/** Messages that are out at once: all are answered well within their lease. */
const limit = 10

/** The longest time until the target has answered, as for callbacks. */
const answerWithin = Duration.seconds(15)

/** The longest time to remove the endpoint at the end. */
const removal = { timeoutMs: 3_000 }

const isUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === ""
}

/** How a message was answered; a status of null is none. */
interface Answer {
  readonly status: number | null
  readonly error: string | null
  readonly duration_ms: number | null
}

/** What is only shown counts as taken. */
const shown: Answer = { status: null, error: null, duration_ms: null }

const isTaken = ({ error, status }: Answer): boolean =>
  error === null && (status === null || (status >= 200 && status < 300))

interface Target {
  readonly url: string
  readonly keys: SigningKeys
}

/** Posts a message as the service would. */
const posted = ({ keys, url }: Target, message: WebhookMessage) =>
  Effect.gen(function* () {
    const { body, message_id: id } = message
    const startedAt = yield* Clock.currentTimeMillis
    const headers = new Headers(message.headers)
    const signatures = signatureHeaders({ id, body, keys: [keys], at: yield* DateTime.now })
    for (const [name, value] of Object.entries(signatures)) headers.set(name, value)
    const answered = yield* Effect.tryPromise({
      try: async (signal) => {
        const answer = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal })
        await answer.body?.cancel()
        return { status: answer.status, error: null }
      },
      catch: (failure) => ({ status: null, error: wordsOf(failure) })
    }).pipe(
      Effect.timeoutOrElse({
        duration: answerWithin,
        orElse: () =>
          Effect.fail({ status: null, error: `no answer within ${Duration.format(answerWithin)}` })
      }),
      Effect.catch(Effect.succeed)
    )
    return { ...answered, duration_ms: (yield* Clock.currentTimeMillis) - startedAt }
  })

/** `fetch` says why only in the cause of its error. */
const wordsOf = (failure: unknown): string => {
  const { cause, message } = failure instanceof Error ? failure : { message: String(failure), cause: null }
  return cause instanceof Error && cause.message !== "" ? cause.message : message
}

/** A message with what its body says. */
const read = (message: WebhookMessage) => {
  const event = JSON.parse(message.body)
  const execution_id: string | null = event.execution?.id ?? null
  return { message, event, type: String(event.type), execution_id }
}
type Read = ReturnType<typeof read>

/** One line. What was not taken is leased for a while yet, and then given out again. */
const lineOf = ({ execution_id, message: { attempt }, type }: Read, answer: Answer): string => {
  const { duration_ms, error, status } = answer
  const follows =
    attempt < deliveryAttemptsMax ? `comes again in ${Duration.format(messageLease)}` : "given up"
  return [
    type.padEnd(19),
    (execution_id ?? "-").padEnd(36),
    ...(duration_ms === null ? [] : [error ?? String(status), `${duration_ms} ms`]),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(isTaken(answer) ? [] : [follows])
  ]
    .join("  ")
    .trimEnd()
}

const printed = Effect.fnUntraced(function* (event: Read, answer: Answer) {
  const at = new Date(yield* Clock.currentTimeMillis).toISOString()
  const { execution_id, message, type } = event
  const { attempt, message_id } = message
  yield* print(
    (yield* isForPeople)
      ? `${at}  ${lineOf(event, answer)}`
      : JSON.stringify({ at, message_id, type, execution_id, attempt, ...answer, event: event.event })
  )
})

/** Fetches messages, and passes on those of each execution in their order. One that is refused holds up later ones. */
const passOn = Effect.fnUntraced(function* (
  { endpoints }: EndpointHolder,
  { id, target }: { readonly id: string; readonly target: Target | undefined }
) {
  const { data } = yield* called((signal) => endpoints.fetch(id, { wait, limit }, { ...patient, signal }))
  const streams = Array.groupBy(
    data.map(read),
    ({ execution_id, message }) => execution_id ?? message.message_id
  )
  yield* Effect.forEach(
    Object.values(streams),
    Effect.fnUntraced(function* (events) {
      for (const event of events) {
        const { attempt, message_id } = event.message
        const answer = target === undefined ? shown : yield* posted(target, event.message)
        yield* printed(event, answer)
        if (isTaken(answer))
          yield* called((signal) => endpoints.acknowledge(id, [message_id], { ...patient, signal }))
        else if (attempt < refusalsWaited) return
      }
    }),
    { concurrency: "unbounded", discard: true }
  )
})

/** Says once that the service is away, and once that it is back. */
const reconnecting = () => {
  let isAway = false
  return ({ event, problem }: LogEntry) => {
    if (event === "failure" || isAway === (event === "retry")) return
    isAway = event === "retry"
    process.stderr.write(
      isAway ? `${visibleLine(problem ?? "")}. Trying again until it is back\n` : "The service is back\n"
    )
  }
}

/** Which events are got. */
const chosenEvents = {
  event_types: Flag.Literals("event", ExecutionEventType.literals).pipe(
    Flag.withDescription("This event; may be repeated (default: all)"),
    Flag.atLeast(0),
    Flag.map((types) => (types.length === 0 ? undefined : types))
  ),
  tasks: several("task"),
  agents: several("agent")
}

/** Made for the time of the scope. */
const made = (
  holder: EndpointHolder,
  { agents, event_types, tasks }: Command.Command.Config.InferValue<typeof chosenEvents>
) =>
  Effect.acquireRelease(
    called(async () =>
      holder.endpoints.create({
        kind: "poll",
        description: "runhook listen",
        remove_after_seconds,
        event_types,
        task_ids: await idsOf(tasks, holder.tasks),
        agent_ids: await idsOf(agents, holder.agents)
      })
    ),
    ({ id }) =>
      called(() => holder.endpoints.remove(id, removal)).pipe(
        Effect.catch(({ exitCode, reason }) =>
          exitCode === gone
            ? Effect.void
            : printError(
                `The endpoint ${id} stays for up to two hours, until the service removes it: ${reason}`
              )
        )
      )
  )

/** The exit code of what there is not. */
const gone = 3

const toldIfGone = (failure: CommandFailed) =>
  failure.exitCode === gone
    ? new CommandFailed({ reason: "Its endpoint was removed meanwhile: run it again", exitCode: gone })
    : failure

export const listenCommand = Command.make(
  "listen",
  {
    account: accountFlag,
    url: optional(
      Flag.String("forward").pipe(
        Flag.withMetavar("url"),
        Flag.withDescription("Post each to this URL, as the service would (default: only print them)")
      )
    ),
    secret: optional(
      Flag.String("secret").pipe(
        Flag.withDescription(
          "Sign with this secret (default: one of this machine, which RUNHOOK_DATA_DIR keeps for each key)"
        )
      )
    ),
    chosen: chosenEvents
  },
  Effect.fnUntraced(function* ({ account, chosen, secret: option, url }) {
    if (url !== undefined && !isUrl(url))
      return yield* new CommandFailed({
        reason: `--forward takes an http or https URL without a password, and not ${url}`,
        exitCode: 2
      })
    const named = option === undefined ? undefined : yield* Effect.fromResult(givenSecret(option))
    const holder = yield* endpointHolder(account, reconnecting())
    const { id } = yield* made(holder, chosen)
    const { keys, text } = named ?? (yield* keptSecret(yield* called(() => holder.ownerId())))
    const does = url === undefined ? "Printing events" : `Passing events on to ${url}`
    const signed =
      named === undefined ? `this secret:\nRUNHOOK_SIGNING_SECRET=${text}` : "the secret of --secret"
    yield* print(
      (yield* isForPeople)
        ? `${does}, until Ctrl-C. They are signed with ${signed}`
        : JSON.stringify({
            endpoint_id: id,
            signing_secret: named === undefined ? text : null,
            forward: url ?? null
          })
    )
    const target = url === undefined ? undefined : { url, keys }
    return yield* Effect.mapError(Effect.forever(passOn(holder, { id, target })), toldIfGone)
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Get callbacks on this machine until Ctrl-C: those of the key in RUNHOOK_API_KEY, or of an account"
  ),
  Command.withGlobalFlags([Json]),
  Command.withExamples([
    {
      command: "runhook listen --forward http://localhost:3000/runhook",
      description: "Post them to a program on this machine"
    },
    {
      command: "runhook listen --event execution.completed --json",
      description: "One JSON object a line, for a program"
    }
  ])
)
