/** What callbacks, endpoints and alerts may be, and what figures count. */
import { mailsMax, testsMax } from "@runhook/core/alerts/AlertAllowance"
import { messageEvery, remindEvery, targetsMax } from "@runhook/core/alerts/AlertTarget"
import { spelledOutMax } from "@runhook/core/alerts/AlertText"
import { deadLetterGroupsMax, deadLettersCounted } from "@runhook/core/deliveries/DeadLetters"
import { attemptsShownMax, deliveryLifetime } from "@runhook/core/deliveries/Delivery"
import { attemptWaits, deliveryAttemptsMax } from "@runhook/core/deliveries/steps/DeliveryBackoff"
import { failuresWaited, refusalsWaited } from "@runhook/core/deliveries/claim/DeliveryOrder"
import { messageLease, messagesMax } from "@runhook/core/endpoints/Messages"
import { endpointsMax } from "@runhook/core/endpoints/WebhookEndpoint"
import { pageBytesMax } from "@runhook/core/shared/Page"
import { callbackUrlLengthMax } from "@runhook/core/shared/target/TargetRefused"
import { growth } from "@runhook/core/usage/Latencies"
import { countsTo, receiverCountsTo } from "@runhook/core/usage/UsageCounts"
import { beginningsMax } from "@runhook/core/usage/UsageQuery"
import { cellsMax } from "@runhook/core/usage/UsageSheet"
import { hoursKept, retentionDefault } from "@runhook/core/sweeps/Retention"
import { UsageKept } from "@runhook/core/Settings"
import { receiversSeen, standingShown, sumsMax } from "@runhook/core/usage/Usage"
import { idsMax } from "@runhook/contract/endpoints/EndpointWire"
import { headersMax, interimAnswersMax } from "@runhook/guarded-http/SizeLimits"
import { timeLimitsDefault as sending } from "@runhook/guarded-http/TimeLimits"
import { beatEvery, silentBeatsMax } from "@runhook/webhook-dispatcher/DispatcherHeartbeats"
import { bodyKeptOfSuccess, bodyReadMax } from "@runhook/webhook-dispatcher/HttpSender"
import * as Duration from "effect/Duration"
import { count, hours, type LimitSection, size, span } from "./Words.ts"

const allWaits = Math.round(Duration.toHours(attemptWaits.reduce(Duration.sum)))

export const callbacks: LimitSection = {
  title: "Callbacks",
  rows: [
    ["callback URL", `${count(callbackUrlLengthMax)} characters`],
    [
      "delivery attempts",
      `${count(deliveryAttemptsMax)} in about ${count(allWaits)} hours; expires after ${hours(deliveryLifetime)}`
    ],
    [
      "wait for an earlier event of the same execution",
      `until that one has arrived or is given up, or a receiver that is up has refused it ${count(refusalsWaited)} times or failed it ${count(failuresWaited)} times in any way (\`RUNHOOK_CALLBACK_ORDER\`)`
    ],
    [
      "bytes read from a receiver for one attempt",
      `64 KiB and ${count(interimAnswersMax)} interim answers; headers of ${size(headersMax)}, a body of ${size(bodyReadMax)}`
    ],
    [
      "response body kept of an attempt",
      `${size(bodyReadMax)} on failure, ${size(bodyKeptOfSuccess)} on success`
    ],
    ["attempts shown of a delivery", `the latest ${count(attemptsShownMax)}; fewer when the body is large`],
    [
      "a silent dispatcher on a shared database",
      `counts as ended after about ${span(Duration.times(beatEvery, silentBeatsMax + 1))}; another sends what it had in flight`
    ],
    [
      "dead letters by receiver and cause",
      `${count(deadLetterGroupsMax)} groups, and at most ${count(deadLettersCounted)} counted in each`
    ],
    [
      "standing endpoints",
      `${count(endpointsMax)} per account; more is 422 \`endpoint_limit_reached\`. ${count(idsMax)} \`task_ids\` and \`agent_ids\` each`
    ],
    [
      "messages of a polled endpoint",
      `${count(messagesMax)} in one answer and in one acknowledgement, ${size(pageBytesMax)}; leased for ${count(Duration.toSeconds(messageLease))} seconds, given out ${count(deliveryAttemptsMax)} times, kept for ${hours(deliveryLifetime)}`
    ]
  ]
}

export const alerts: LimitSection = {
  title: "Alerts",
  rows: [
    [
      "alert targets",
      `${count(targetsMax)} per account, ${count(targetsMax)} of the operator; more is 422 \`target_limit_reached\``
    ],
    [
      "messages to an alert target",
      `1 in ${span(messageEvery)}, and a reminder every ${span(remindEvery)}; each names ${count(spelledOutMax)} alerts of each sort`
    ],
    [
      "mails of alerts",
      `${count(mailsMax.ofMailbox)} an hour from an account to a mailbox, ${count(mailsMax.ofAccount)} an hour from an account`
    ],
    [
      "tests of alert targets",
      `${count(testsMax.ofOwner)} an hour per account, ${count(testsMax.ofMailbox)} an hour to a mailbox from all callers together; then 429 \`rate_limited\` with \`details.reason\` \`too_soon\``
    ],
    [
      "one attempt to send an alert",
      `${span(sending.headers)} for the headers of an answer, ${span(sending.total)} in all; ${span(sending.total)} for a mail`
    ]
  ]
}

export const figures: LimitSection = {
  title: "Figures",
  rows: [
    [
      "usage counts",
      `kept for ${span(UsageKept.defaultValue())} by day (\`RUNHOOK_USAGE_DAYS\`), ${span(hoursKept(retentionDefault))} by hour. One answer has ${count(beginningsMax)} hours or days, and ${count(sumsMax)} counts when split by key or task. Percentiles are read off ranges, each of which ends at ${growth} times the end of the one before`
    ],
    [
      "usage counts not stored yet",
      `one second's worth; while the database is away, up to ${count(cellsMax)} keys and tasks per hour and as many receivers, and new ones beyond that are not counted`
    ],
    [
      "figures of the overview, of receivers, and of what depends on a key",
      `counted up to ${count(countsTo)}, per receiver up to ${count(receiverCountsTo)}; the overview is at most ${span(standingShown)} old`
    ],
    [
      "receivers in one answer",
      `${count(receiversSeen)}, chosen from at most ${count(receiversSeen)} in trouble, ${count(receiversSeen)} with waiting deliveries, ${count(receiversSeen)} with dead ones, and the ${count(receiversSeen)} last sent to`
    ]
  ]
}
