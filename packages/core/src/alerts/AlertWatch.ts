/**
 * Looks once a minute for what is wrong, and tells those who want to know. Any number of processes may: one of them
 * has the turn. What it found is stored before anybody is told, so a killed process loses nothing.
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterLook, type Alert } from "./Alert.ts"
import { messageFor } from "./AlertMessage.ts"
import { AlertChannel, type AlertTarget, readyAt } from "./AlertTarget.ts"
import { mailText } from "./AlertMail.ts"
import { summaryOf } from "./AlertText.ts"
import { webhookBody } from "./AlertWebhook.ts"
import { AlertChannels } from "./AlertChannels.ts"
import { AlertStore } from "./AlertStore.ts"
import * as Loop from "../engine/Loop.ts"
import { makeAlertSender, makeNamed } from "./AlertSender.ts"

const pace = Duration.minutes(1)

/** Less than the pace, so that the process that looks goes on looking; a dead one is followed within a minute. */
const turnMax = Duration.seconds(50)

/**
 * Targets that are sent to at once: those that hang hold up only the others of one look, and are soon tried rarely.
 * All mails go to one server, which may refuse more at once; if it hangs, webhooks go on.
 */
const sendingMax: { readonly [Channel in AlertChannel]: number } = { webhook: 32, email: 4 }

export const makeLook = Effect.gen(function* () {
  const channels = yield* AlertChannels
  const store = yield* AlertStore
  const named = yield* makeNamed
  const sender = yield* makeAlertSender

  const tell = Effect.fnUntraced(function* (
    target: AlertTarget,
    alerts: ReadonlyArray<Alert>,
    at: DateTime.Utc
  ) {
    const message = messageFor(target, alerts, at)
    if (message === null) return
    const { accountId, id: targetId } = target
    const addressee = { accountId, targetId, pageUrl: channels.pageUrl }
    const [opened, open, over] = yield* Effect.all([
      named(message.opened),
      named(message.open),
      named(message.over)
    ])
    const told = { at, opened, open, over }
    const error = yield* sender.alert(target, {
      told: message.told,
      body: (id) => webhookBody(told, { ...addressee, id }),
      subject: summaryOf(told),
      text: mailText(told, addressee)
    })
    if (error === undefined) return
    const what = { target: targetId, opened: opened.length, open: open.length, over: over.length }
    yield* error === null
      ? Effect.logInfo("An alert was sent", what)
      : Effect.logWarning(`An alert could not be sent: ${error}`, what)
  })

  /** One look, if this process gets the turn. */
  return Effect.gen(function* () {
    const at = yield* DateTime.now
    const turn = yield* store.takeTurn({ at, until: DateTime.addDuration(at, turnMax) })
    if (turn === null) return
    const known = yield* store.alerts(null)
    const alerts = afterLook(known, yield* store.troubles(at), at)
    const isStored = alerts.length + known.length === 0 || (yield* store.replaceAlerts({ turn, alerts }))
    if (!isStored) return
    const ready = readyAt(yield* store.targets, at)
    const tellBy = (channel: AlertChannel) =>
      Effect.forEach(
        ready.filter((target) => target.channel === channel),
        (target) =>
          Loop.surviving("An alert target could not be told", Effect.void)(tell(target, alerts, at)),
        { concurrency: sendingMax[channel], discard: true }
      )
    yield* Effect.all(AlertChannel.literals.map(tellBy), { concurrency: "unbounded", discard: true }).pipe(
      Effect.timeoutOption(turnMax)
    )
  })
})

export const layerLoop = Layer.effectDiscard(
  Effect.gen(function* () {
    const look = yield* makeLook
    const turn = Effect.andThen(look, Effect.sleep(pace))
    yield* Effect.forkScoped(
      Loop.forever(turn, { failure: "Alerts could not be looked for", afterFailure: Effect.sleep(pace) })
    )
  })
)
