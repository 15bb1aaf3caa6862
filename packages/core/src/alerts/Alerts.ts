/** What callers and operators do with alerts and their targets. */
import * as Context from "effect/Context"
import { isMailAddress, mailAddressRule } from "../shared/MailAddress.ts"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Alert, AlertKind } from "./Alert.ts"
import { testsMax } from "./AlertAllowance.ts"
import { type AlertChannel, type AlertTargetChange, newTarget, targetsMax } from "./AlertTarget.ts"
import { mailTestText } from "./AlertMail.ts"
import { webhookTestBody } from "./AlertWebhook.ts"
import { alertTargetCreated, alertTargetRemoved, alertTargetUpdated } from "../audit/AlertEvents.ts"
import { AlertTargetId, instantOf, makeIds } from "../shared/Ids.ts"
import { InvalidField } from "../shared/Refusals.ts"
import { checkUrl } from "../shared/target/CallbackUrl.ts"
import { AccountStore } from "../accounts/AccountStore.ts"
import { AlertChannels } from "./AlertChannels.ts"
import { type AlertOwner, AlertStore, type AlertTargetRef } from "./AlertStore.ts"
import { Signals } from "../signals/Signals.ts"
import { changeOf } from "../signals/ChangeSignals.ts"
import { CallbackTargets, ServiceKeys } from "../Settings.ts"
import { seal } from "../signing/SecretBox.ts"
import * as SigningSecret from "../signing/SigningSecret.ts"
import { alertSecretPurpose, makeAlertSender, makeNamed } from "./AlertSender.ts"
import { audited } from "../audit/Audited.ts"
import { useCase } from "../engine/UseCase.ts"

/** Alerts that one list shows. */
const listMax = 200

/** The account, or somebody with this mailbox, got as many tests as it may. */
export class AlertTooSoon extends Schema.TaggedError<AlertTooSoon>()("AlertTooSoon", { id: AlertTargetId }) {
  override get message() {
    return `There may be ${testsMax.ofOwner} tests in an hour, ${testsMax.ofMailbox} of them to one mailbox: try again later`
  }
}

export interface NewAlertTarget {
  readonly owner: AlertOwner
  readonly channel: AlertChannel
  readonly address: string
  /** Null: all. */
  readonly kinds: ReadonlyArray<AlertKind> | null
  readonly pausedUntil: DateTime.Utc | null
}

export class Alerts extends Context.Service<Alerts>()("@runhook/core/alerts/Alerts", {
  make: Effect.gen(function* () {
    const accounts = yield* AccountStore
    const channels = yield* AlertChannels
    const policy = yield* CallbackTargets
    const ring = yield* ServiceKeys
    const signals = yield* Signals
    const store = yield* AlertStore
    const newId = yield* makeIds
    const sender = yield* makeAlertSender
    const named = yield* makeNamed
    const atRandom = Effect.provideService(SecureRandom, yield* SecureRandom)

    const known = (owner: AlertOwner) => (owner === null ? Effect.void : accounts.get(owner))

    const changed = (owner: AlertOwner) =>
      owner === null ? Effect.void : signals.notify([changeOf(owner, "audit", null)])

    const addressOf = ({ address, channel }: NewAlertTarget) => {
      if (channel === "email") {
        if (!channels.sendsMail) {
          const rule = "this service sends no mails: its operator has not set RUNHOOK_SMTP_URL"
          return new InvalidField({ path: ["channel"], rule })
        }
        return isMailAddress(address)
          ? Effect.succeed(address)
          : new InvalidField({ path: ["address"], rule: mailAddressRule })
      }
      return Result.match(checkUrl(address, policy), {
        onFailure: ({ message }) => new InvalidField({ path: ["address"], rule: message }),
        onSuccess: ({ href }) => Effect.succeed(href)
      })
    }

    /** Adds a target. The secret that its webhooks are signed with is answered here alone. */
    const addTarget = useCase("Alerts.addTarget")(function* (wanted: NewAlertTarget) {
      const { channel, kinds, owner, pausedUntil } = wanted
      yield* known(owner)
      const address = yield* addressOf(wanted)
      const id = yield* newId(AlertTargetId)
      const secret = channel === "webhook" ? yield* SigningSecret.generate : null
      const target = newTarget({
        id,
        accountId: owner,
        channel,
        address,
        kinds: kinds ?? AlertKind.literals,
        pausedUntil,
        ciphertext: secret && (yield* seal(ring, { purpose: alertSecretPurpose, id }, secret)),
        createdAt: instantOf(id)
      })
      yield* store.addTarget(target, { limit: targetsMax, audit: yield* audited(alertTargetCreated) })
      yield* changed(owner)
      return { target, secret: secret === null ? null : Redacted.make(secret, { label: "signing secret" }) }
    }, atRandom)

    const targets = Effect.fnUntraced(function* (owner: AlertOwner) {
      yield* known(owner)
      return yield* store.targetsOf(owner)
    })

    /** Changes which alerts it gets, or pauses it. After a pause it is told what is still open. */
    const changeTarget = useCase("Alerts.changeTarget")(function* (
      ref: AlertTargetRef,
      change: AlertTargetChange
    ) {
      const audit = yield* audited(alertTargetUpdated)
      const target = yield* store.changeTarget(ref, { change, at: yield* DateTime.now, audit })
      yield* changed(ref.owner)
      return target
    })

    const removeTarget = useCase("Alerts.removeTarget")(function* (ref: AlertTargetRef) {
      yield* store.removeTarget(ref, yield* audited(alertTargetRemoved))
      yield* changed(ref.owner)
    })

    /** Sends it a test, also while it is paused, and waits for the outcome: null, or why it was not taken. */
    const testTarget = useCase("Alerts.testTarget")(function* (ref: AlertTargetRef) {
      const target = yield* store.getTarget(ref)
      const at = yield* DateTime.now
      const addressee = { targetId: target.id, accountId: target.accountId, pageUrl: channels.pageUrl }
      const error = yield* sender.test(target, {
        body: (id) => webhookTestBody({ ...addressee, id }, at),
        subject: "Runhook: a test of your alerts",
        text: mailTestText(addressee)
      })
      return error === undefined ? yield* new AlertTooSoon({ id: ref.id }) : error
    })

    /** The alerts of an account or of all: those that are open first, each part newest first, up to a bound. */
    const list = Effect.fnUntraced(function* (owner: AlertOwner) {
      yield* known(owner)
      const alerts = yield* store.alerts(owner)
      const shown = alerts.filter(({ openedAt }) => openedAt !== null).toSorted(openFirst)
      return { alerts: yield* named(shown.slice(0, listMax)), isMore: shown.length > listMax }
    })

    const getTarget = store.getTarget

    return { addTarget, targets, getTarget, changeTarget, removeTarget, testTarget, list }
  })
}) {
  static readonly layer = Layer.effect(Alerts, Alerts.make)
}

const millisOf = (instant: DateTime.Utc | null): number => instant?.epochMilliseconds ?? 0

const openFirst = (one: Alert, other: Alert): number =>
  Number(one.closedAt !== null) - Number(other.closedAt !== null) ||
  millisOf(other.openedAt) - millisOf(one.openedAt)
