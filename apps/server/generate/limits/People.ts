/** What people, keys and the page may do. */
import { idleMax, keptFor as sessionsKept, sessionMax } from "@runhook/core/people/PersonSession"
import { linkSeconds, openMax } from "@runhook/core/people/SignInLink"
import { changesMax, toldMax } from "@runhook/core/accounts/ChangeRing"
import { cachedFor } from "@runhook/core/engine/LookupCache"
import { lookEvery } from "@runhook/core/engine/LongPoll"
import { followersMax, keptFor } from "@runhook/core/accounts/Changes"
import { streamsMax } from "@runhook/core/executions/history/FollowHistory"
import { queryLengthMax, resultsMax } from "@runhook/docs-site/Search"
import {
  atOnceMax,
  lineMax,
  networkRate,
  wholeRate
} from "@runhook/http/authentication/provider/ProviderLimits"
import { progressMax } from "@runhook/http/authentication/provider/ProgressCookie"
import { callbacksKept, charactersKept } from "../../src/demo/Inbox.ts"
import { pauseMillis, timeoutSeconds } from "../../src/sign-in/OpenIdProvider.ts"
import { count, type LimitSection, span } from "./Words.ts"

const seconds = (value: number): string => span(value * 1_000)

export const people: LimitSection = {
  title: "People",
  rows: [
    [
      "a sign-in link",
      `works once, within ${seconds(linkSeconds.default)}, or within ${seconds(linkSeconds.min)} to ${count(linkSeconds.max / 3_600)} hours if it was made so (\`expires_in_seconds\`)`
    ],
    [
      "open sessions and links of a person in an account",
      `${count(openMax)}; a member makes another link only below that, and who signs in at a provider again ends their oldest session. Operators may make as many links as they like`
    ],
    [
      "a session of the Integrations page",
      `ends after ${span(idleMax)} without use, and after ${span(sessionMax)}; with the session whose link began it; other processes notice within ${span(cachedFor)}`
    ],
    [
      "a sign-in at the OpenID Connect provider",
      `${span(progressMax)} from start to end; ${seconds(timeoutSeconds)} for each answer of the provider, which is left alone for ${span(pauseMillis)} when it gives none`
    ],
    [
      "sign-ins that the provider is asked about",
      `${count(networkRate.perSecond)} a second and a burst of ${count(networkRate.burst)} per address, ${count(wholeRate.perSecond)} a second and a burst of ${count(wholeRate.burst)} in all; ${count(atOnceMax)} under way and ${count(lineMax - atOnceMax)} waiting. Each process counts for itself`
    ],
    [
      "records of ended sessions and used links",
      `kept for ${span(sessionsKept)} after they would have expired`
    ]
  ]
}

export const keys: LimitSection = {
  title: "Keys",
  rows: [
    [
      "a revoked key",
      `stops working at once at the process that revoked it, within ${span(cachedFor)} at others; its open long polls and \`?wait=\` end at once, or within ${span(lookEvery)}`
    ],
    [
      "a new key",
      `works at once; at another process that was asked for it before it was made, within ${span(cachedFor)}`
    ]
  ]
}

export const following: LimitSection = {
  title: "Changes and streams",
  rows: [
    [
      "followers of an account's changes",
      `${count(followersMax.session)} per session of a person, ${count(followersMax.account)} per account, ${count(followersMax.process)} per process; then 429 \`rate_limited\` with \`details.reason\` \`too_many_followers\``
    ],
    [
      "streams of executions' events and logs",
      `${count(streamsMax.session)} per key or session and per account, ${count(streamsMax.process)} per process; then 429 \`rate_limited\` with \`details.reason\` \`too_many_followers\``
    ],
    [
      "changes listed one by one",
      `${count(toldMax)} at a time; if there are more, only their kinds are named (\`many\`)`
    ],
    [
      "a position in the changes",
      `valid at the process that gave it, for at least the last ${count(changesMax)} changes, and until ${span(keptFor)} after the last follower left; then \`reset\``
    ]
  ]
}

export const page: LimitSection = {
  title: "The page, the documentation, and the demo",
  rows: [
    [
      "search of the Integrations page for a text in executions",
      "10 pages of 100 at once, fewer where they are large; then it asks whether to look further"
    ],
    [
      "search in the documentation",
      `${count(queryLengthMax)} characters; the ${count(resultsMax)} best matches`
    ],
    [
      "inbox of the demo",
      `the last ${count(callbacksKept)} callbacks, ${count(charactersKept / 1_048_576)} Mi characters together`
    ]
  ]
}
