/** What a request may be, how many there may be, and what their answers may use. */
import { pageBytesMax, pageSizeDefault, pageSizeMax } from "@runhook/core/shared/Page"
import { digitsMin, foundMax } from "@runhook/core/shared/IdPrefix"
import { callersPerAccount } from "@runhook/core/keys/RateLimit"
import { ExecutionLimits } from "@runhook/core/Settings"
import { batchMax } from "@runhook/contract/executions/BatchWire"
import { waitSecondsMax } from "@runhook/contract/QueryNumbers"
import { failureLimit, lookUpPause, lookUpsMax } from "@runhook/http/authentication/FailedKeys"
import { burstMin } from "@runhook/http/limits/BatchRates"
import { bodySizeMax } from "@runhook/http/limits/BodySize"
import { largeBodyMin, largeBodyRate, largeBodyWaitMax } from "@runhook/http/limits/LargeBodies"
import { defaultRateLimits } from "@runhook/http/limits/RateLimits"
import { longAnswerBytes, responseLimits, smallAnswerBytes } from "@runhook/http/limits/ResponseBudget"
import { connectionLimitsDefault as connection } from "@runhook/http/listener/ConnectionLimits"
import { LooksMax } from "@runhook/store-pg/sql/Looks"
import { migrationPatience, timeoutDefault, upkeepPatience } from "@runhook/store-pg/connections/Deadline"
import { count, type LimitSection, rate, size, span } from "./Words.ts"

const { accountMaxLive, accountRateLimit } = ExecutionLimits.defaultValue()
const { inFlight, reading, sending } = responseLimits
const times = count(callersPerAccount)
const batchBursts = { key: count(burstMin.key), account: count(burstMin.account) }
const shortest = (value: Parameters<typeof rate>[0] | null): string =>
  value === null ? "no limit" : rate(value)

export const requests: LimitSection = {
  title: "Requests",
  rows: [
    ["request body", size(Number(bodySizeMax))],
    [
      "executions in one `POST /executions/batch`",
      `1 to ${count(batchMax)}, in a request body of ${size(Number(bodySizeMax))}; they have rates of their own below`
    ],
    ["URL and headers of a request", "16 KiB together; more is 431"],
    ["`?wait=`", `${count(waitSecondsMax)} seconds`],
    ["connections", `${count(connection.connectionsMax)} a process (\`RUNHOOK_MAX_CONNECTIONS\`)`],
    [
      "time for a request to arrive",
      `${span(connection.head)} for URL and headers, ${span(connection.body)} for the body; ${span(connection.upload)} for the body of an upload`
    ],
    [
      "connections without progress",
      `${span(connection.stall)} without a byte of a request arriving or of an answer leaving`
    ],
    [
      "large bodies",
      `${size(largeBodyRate)} a second per account, read one after the other; a body that would wait for more than ${span(largeBodyWaitMax)} is refused. Bodies up to ${size(largeBodyMin)} are not counted; nothing is counted when the request rate is \`off\``
    ],
    [
      "unfinished executions",
      `${count(accountMaxLive)} per account (\`RUNHOOK_MAX_LIVE\`, or the \`max_live\` of the account); per key by \`max_live\``
    ],
    [
      "wait for the database",
      `${span(timeoutDefault)} for a statement or a transaction, including the wait for a connection (\`RUNHOOK_DATABASE_TIMEOUT\`); then 503. ${span(upkeepPatience)} for sweeps, pruning, replays and cancels of many, ${span(migrationPatience)} for migrations`
    ]
  ]
}

export const rates: LimitSection = {
  title: "Rates",
  rows: [
    [
      "requests of an integration key",
      `${shortest(defaultRateLimits.integration)} (\`RUNHOOK_RATE_LIMIT\`); per key by \`rate_limit\``
    ],
    [
      "requests of all integration keys of an account",
      `${shortest(accountRateLimit)} (${times} times as many a second as \`RUNHOOK_RATE_LIMIT\`, or \`RUNHOOK_ACCOUNT_RATE_LIMIT\`, or the \`rate_limit\` of the account); then 429 \`rate_limited\` with \`details.reason\` \`account_rate\``
    ],
    [
      "items of batches of an integration key",
      `as many a second as requests of the key, burst of ${batchBursts.key}, or that of its requests where it is larger; \`batch_rate_limit\` of \`GET /me\`. The batch itself counts as one request`
    ],
    [
      "items of batches of all integration keys of an account",
      `as many a second as its requests, burst of ${batchBursts.account}, or that of its requests where it is larger; then each further item is refused with \`details.reason\` \`account_rate\``
    ],
    [
      "requests of a runner key",
      `${shortest(defaultRateLimits.runner)} (\`RUNHOOK_RUNNER_RATE_LIMIT\`); all of an account ${times} times as many a second, and as many at once`
    ],
    ["requests of the admin key", `${shortest(defaultRateLimits.admin)} (\`RUNHOOK_ADMIN_RATE_LIMIT\`)`],
    [
      "requests of a person on the Integrations page",
      `as for the admin key, counted per account and person, over all their sessions; all people of an account ${times} times as many a second, and as many at once`
    ],
    [
      "requests without a valid key",
      `${rate(failureLimit)}, per address (IPv6: per /64); behind proxies see \`RUNHOOK_TRUST_PROXY\`. Beyond that, keys and links of the address are looked up one at a time, ${count(1_000 / lookUpPause)} a second; ${count(lookUpsMax)} may wait, and the invalid ones get 429`
    ]
  ]
}

export const answers: LimitSection = {
  title: "Answers",
  rows: [
    [
      "list page",
      `${count(pageSizeDefault)} by default, at most ${count(pageSizeMax)}; it ends early, with a cursor, before it passes ${size(pageBytesMax)} (\`RUNHOOK_PAGE_MAX_BYTES\`), and for callbacks and the audit log when it has looked at ${count(LooksMax.defaultValue())} entries, however few of them match`
    ],
    [
      "search by the beginning of an id or reference (`find`, admin API)",
      `looks at ${count(foundMax)} ids and ${count(foundMax)} references that begin so; an id by ${count(digitsMin)} digits at least`
    ],
    [
      `large answers in flight (over ${size(smallAnswerBytes)}, not yet read by their callers)`,
      `${size(inFlight.account)} per account (all operators count as one) and ${size(inFlight.process)} per process, but always one. A page sent in slices counts as ${size(longAnswerBytes)}, or as its largest item. Then 429 \`rate_limited\` with \`details.reason\` \`large_answers\`, for runners' claims and new sessions too. Smaller answers are not counted`
    ],
    [
      "lists, and what counts or changes much at once (usage, overview, receivers, dead letters, explanations, evidence, replays, cancels of many, `GET /me`, making and changing agents)",
      `one at a time per account, over all of its keys and people, and then a rest as long as it took, a second at most. ${count(reading.waitingMax)} may wait, each for ${span(reading.waitMax)}; then 429 \`rate_limited\` with \`details.reason\` \`too_many_reads\`. Operators do not wait`
    ],
    [
      "bytes in large answers and in all event streams",
      `${size(sending.perSecond)} a second per account, ${size(sending.burst)} at once; more is delayed, not refused. Operators do not wait`
    ]
  ]
}
