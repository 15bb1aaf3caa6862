/** Sends one message to one alert target: signed, or as a mail, within what its owner may cause. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Alert } from "./Alert.ts"
import { type AlertAllowance, allowancesOfAlert, allowancesOfTest } from "./AlertAllowance.ts"
import { afterAttempt, type AlertTarget, type ToldAlerts } from "./AlertTarget.ts"
import { type AccountId, EventId, makeIds } from "../shared/Ids.ts"
import { AccountStore } from "../accounts/AccountStore.ts"
import { AlertChannels } from "./AlertChannels.ts"
import { AlertStore } from "./AlertStore.ts"
import { ServiceKeys } from "../Settings.ts"
import { fingerprint } from "../signing/Fingerprint.ts"
import { open } from "../signing/SecretBox.ts"
import { signedRequest } from "../signing/SignedRequest.ts"
import * as SigningSecret from "../signing/SigningSecret.ts"

/** What the signing secrets of targets are sealed for. */
export const alertSecretPurpose = "alert-secret"

/** Longest wait for a target. One that hangs is left alone after it. */
const sendMax = Duration.seconds(20)

/** An attempt of a process that died counts as over after this time. */
const attemptMax = Duration.minutes(2)

/** Gives alerts the names of their accounts. */
export const makeNamed = Effect.map(AccountStore, (accounts) =>
  Effect.fnUntraced(function* (alerts: ReadonlyArray<Alert>) {
    const names = new Map<AccountId, string>()
    for (const accountId of new Set(alerts.map((alert) => alert.accountId))) {
      const account = yield* Effect.option(accounts.get(accountId))
      names.set(accountId, Option.match(account, { onNone: () => "", onSome: ({ name }) => name }))
    }
    return alerts.map((alert) => ({ ...alert, accountName: names.get(alert.accountId) ?? "" }))
  })
)

/** What is sent, once its id is known. */
export interface Content {
  readonly body: (id: EventId) => string
  readonly subject: string
  readonly text: string
}

export const makeAlertSender = Effect.gen(function* () {
  const channels = yield* AlertChannels
  const ring = yield* ServiceKeys
  const store = yield* AlertStore
  const newId = yield* makeIds

  const post = Effect.fnUntraced(function* (target: AlertTarget, content: Content) {
    const row = { purpose: alertSecretPurpose, id: target.id }
    const keys = open(ring, row, target.ciphertext ?? "").pipe(Result.flatMap(SigningSecret.parse))
    if (Result.isFailure(keys)) return keys.failure.message
    const id = yield* newId(EventId)
    const delivery = {
      id,
      url: target.address,
      body: content.body(id),
      attempts: target.failures + 1,
      traceparent: null
    }
    return yield* channels.post(signedRequest({ delivery, keys: [keys.success], at: yield* DateTime.now }))
  })

  const sendBy = (target: AlertTarget, content: Content) =>
    target.channel === "webhook"
      ? post(target, content)
      : channels.mail({ to: target.address, subject: content.subject, text: content.text })

  /** What is kept names no person. */
  const mayCause = (allowances: ReadonlyArray<AlertAllowance>) =>
    Effect.flatMap(DateTime.now, (at) =>
      store.useAllowances(
        allowances.map(({ max, subject }) => ({ subject: fingerprint(subject), max })),
        at
      )
    )

  /** Answers null, or why it was not taken. */
  const attempt = (target: AlertTarget, content: Content) =>
    sendBy(target, content).pipe(
      Effect.timeoutOption(sendMax),
      Effect.map(Option.getOrElse(() => `It took longer than ${Duration.toSeconds(sendMax)} seconds`)),
      Effect.catchDefect((defect) =>
        Effect.as(Effect.logError("An alert could not be sent", defect), "The service failed to send")
      )
    )

  /** Answers null, or why the target did not take it; undefined if somebody else is at it. */
  const alert = Effect.fnUntraced(function* (
    target: AlertTarget,
    content: Content & { readonly told: ToldAlerts }
  ) {
    const begun = yield* store.beginAttempt(target, DateTime.addDuration(yield* DateTime.now, attemptMax))
    if (!begun) return undefined
    const error = (yield* mayCause(allowancesOfAlert(target)))
      ? yield* attempt(target, content)
      : "This mailbox or its account got as many mails as it may in an hour"
    const at = yield* DateTime.now
    const sent = afterAttempt(target, { told: content.told, error, at })
    yield* store.endAttempt({ id: target.id, attempts: target.attempts + 1, sent })
    return error
  })

  /**
   * The same for a test; undefined if there were too many. It leaves the times of alerts alone, but that alerts which
   * were not taken before are tried again at once when it was taken.
   */
  const test = Effect.fnUntraced(function* (target: AlertTarget, content: Content) {
    if (!(yield* mayCause(allowancesOfTest(target)))) return undefined
    const error = yield* attempt(target, content)
    if (error !== null || target.failures === 0) return error
    if (yield* store.beginAttempt(target, yield* DateTime.now)) {
      const { lastSentAt, told } = target
      const sent = { told, failures: 0, lastError: null, lastSentAt, nextAttemptAt: null }
      yield* store.endAttempt({ id: target.id, attempts: target.attempts + 1, sent })
    }
    return error
  })

  return { alert, test }
})
