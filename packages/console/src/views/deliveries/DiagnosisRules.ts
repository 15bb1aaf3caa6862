/** A rule for every cause, in words for the receiver's owner. */
import { deliveryHoursMax, type KnownDeliveryCause } from "@runhook/sdk/admin"
import { byteWords, durationWords } from "../../format/Amounts.ts"
import { originOf } from "../../format/Ids.ts"
import { pathOf, pathTo } from "../../shell/Paths.ts"
import { type Case, type Diagnosis, linkTo } from "./Case.ts"
import { type Piece, say } from "./Sentence.ts"

type Rule = (found: Case) => Omit<Diagnosis, "tone"> & Partial<Pick<Diagnosis, "tone">>

export const byCause = (found: Case): Diagnosis => {
  const cause = found.delivery.last_cause
  const rule = cause !== null && isKnown(cause) ? rules[cause] : otherwise
  return { tone: found.delivery.state === "pending" ? "warn" : "bad", ...rule(found) }
}

const isKnown = (cause: string): cause is KnownDeliveryCause => Object.hasOwn(rules, cause)

/** Only for dead deliveries: the others are retried by themselves. */
export const replayIt = say`Replay this one, then ${{
  words: "the others that died of the same",
  href: pathTo("/dead-letters")
}}.`

const statusOf = ({ delivery }: Case): Piece => ({ code: String(delivery.last_status ?? "") })

const otherwise: Rule = (found) => ({
  title:
    found.delivery.last_status === null
      ? say`It has not arrived`
      : say`It answered ${{ code: String(found.delivery.last_status) }}`,
  text: say`${{ theirs: found.delivery.last_error ?? "" }}. Answer and request are below.`,
  steps: []
})

const refusedSignature: Rule = (found) => {
  const { delivery, evidence } = found
  const { ofKey, secretChange } = evidence
  const { endpoint_id, key_id } = delivery
  const key =
    endpoint_id !== null || key_id === null
      ? { words: "the endpoint", href: pathTo("/deliveries", { origin: originOf(delivery.callback_url) }) }
      : { words: "the key", href: pathOf`/keys/${key_id}` }
  const answers = say`It is up, but answers ${statusOf(found)}`
  if (ofKey === null) {
    return {
      title: say`The receiver has never accepted a signature`,
      text: [
        ...answers,
        ...say`, and has taken no callback of ${key} yet. Most often it signs parsed JSON instead of the bytes that came.`
      ],
      steps: [
        say`Sign the raw bytes of the body followed by the timestamp, not JSON that was read and written again.`,
        say`Check one signature below: it says which of body, timestamp and secret differs.`,
        replayIt
      ]
    }
  }
  if (secretChange !== null && secretChange.at > ofKey.at) {
    return {
      title: say`The receiver refuses the signature`,
      text: [
        ...answers,
        ...say`. It accepted callbacks of ${key} until ${{ at: ofKey.at }}. The signing secret was `,
        ...say`${{ words: "replaced", href: pathTo("/audit", { q: delivery.key_id }) }} at ${{ at: secretChange.at }}`,
        ...(secretChange.by === null ? [] : say` by ${{ theirs: secretChange.by }}`),
        "."
      ],
      steps: [
        say`Put the new secret of ${key} into the receiver. Lost it? Rotate again, staged this time.`,
        say`Check one signature below to see that it matches.`,
        replayIt
      ]
    }
  }
  if (ofKey.at > delivery.created_at) {
    return {
      title: say`The receiver refuses this event`,
      text: [
        ...answers,
        ...say`, while it ${linkTo(ofKey.id, "took another")} of the same key at ${{ at: ofKey.at }}.`
      ],
      steps: [
        say`Compare this one with ${linkTo(ofKey.id, "the one it accepted")}.`,
        say`Check one signature below, with the body as the receiver saw it.`,
        replayIt
      ]
    }
  }
  return {
    title: say`The receiver refuses the signature`,
    text: [
      ...answers,
      ...say`. It accepted callbacks of ${key} until ${{ at: ofKey.at }}; the secret has not changed since.`
    ],
    steps: [
      say`See what changed at the receiver: its secret, or what stands before it and rewrites bodies.`,
      say`Check one signature below.`,
      replayIt
    ]
  }
}

const unauthorized: Rule = (found) => ({ ...refusedSignature(found), checksSignature: true })

const runLocally = say`Copy it as curl and run it against a local copy of the receiver.`

const deduplicate = say`Deduplicate by ${{ code: "X-Webhook-Event-Id" }}.`

/** Bodies above this size are too large for many receivers. */
const largeBytes = 100_000

const refused: Rule = (found) => {
  const { delivery, evidence } = found
  const bytes = new TextEncoder().encode(delivery.payload).length
  if (bytes >= largeBytes) return tooLarge(found)
  if (evidence.ofKey !== null && evidence.ofType === null) {
    return {
      title: say`It most likely fails on this body`,
      text: say`It answers ${statusOf(found)} to ${{ code: delivery.type }}, and took ${linkTo(evidence.ofKey.id, "another type")} at ${{ at: evidence.ofKey.at }}.`,
      steps: [runLocally, replayIt]
    }
  }
  return {
    title: say`The receiver refuses this event`,
    text: say`It answers ${statusOf(found)}: it has understood the request and does not want it. What it says is below.`,
    steps: [say`Read its answer below.`, runLocally, replayIt]
  }
}

const tooLarge: Rule = (found) => ({
  title: say`The receiver finds the body too large`,
  text: say`It answers ${statusOf(found)}. This body has ${byteWords(new TextEncoder().encode(found.delivery.payload).length)}.`,
  steps: [say`Raise the limit of the receiver, or of the proxy before it.`, replayIt]
})

const unreachable: Rule = ({ host, last }) => ({
  title: say`Nobody listens at ${{ theirs: host }}`,
  text: say`${{ theirs: last?.error ?? "There was no connection" }}${last === undefined || last.remote_address === null ? "" : `, at ${last.remote_address}`}.`,
  steps: [say`Is it running? Is a tunnel closed, or a firewall in between?`]
})

const certificate =
  (what: string): Rule =>
  ({ host }) => ({
    title: say`Its certificate ${what}`,
    text: say`${{ theirs: host }} shows a certificate that cannot be trusted, so nothing was sent.`,
    steps: [
      say`Renew or replace it at the receiver.`,
      say`Is it signed by an authority of your own? Give that to the operator.`
    ]
  })

const rules: { readonly [Cause in KnownDeliveryCause]: Rule } = {
  unauthorized,
  bad_request: refused,
  too_large: tooLarge,
  not_found: (found) => ({
    title: say`The address answers, but not at this path`,
    text: [
      ...say`It answers ${statusOf(found)} to ${{ theirs: found.delivery.callback_url }}.`,
      ...(found.evidence.ofKey === null
        ? []
        : say` The last one that it accepted went to ${{ theirs: found.evidence.ofKey.url }}.`)
    ],
    steps: [
      say`Check the path at the receiver.`,
      say`New executions need the new URL; this one keeps its own.`
    ]
  }),
  not_accepted: (found) => ({
    title: say`The path does not take POST with JSON`,
    text: say`It answers ${statusOf(found)} to ${{ theirs: found.delivery.callback_url }}.`,
    steps: [say`Check the route: it has to take POST with ${{ code: "application/json" }}.`, replayIt]
  }),
  redirected: ({ delivery, last }) => {
    const to = last?.response?.headers["location"]
    return {
      title:
        to === undefined
          ? say`It answers with a redirect`
          : say`It answers with a redirect to ${{ theirs: to }}`,
      text: say`It answers ${{ code: String(delivery.last_status ?? "3xx") }}. Redirects are never followed.`,
      steps: [say`Give the URL that it redirects to as ${{ code: "callback_url" }}.`]
    }
  },
  rate_limited: ({ delivery }) => ({
    tone: "warn",
    title:
      delivery.waiting_for === "paused" && delivery.next_attempt_at !== null
        ? say`The receiver asks for a pause until ${{ at: delivery.next_attempt_at }}`
        : say`The receiver asks for a pause`,
    text: say`It answers ${{ code: "429" }}: too many requests. What it asks for by ${{ code: "Retry-After" }} is honoured, up to an hour.`,
    steps: [say`Raise its limit, if that happens often.`]
  }),
  server_error: (found) => {
    const { delivery, evidence, last } = found
    if (evidence.ofKey !== null && evidence.ofType === null && evidence.ofKey.at > delivery.created_at)
      return refused(found)
    return {
      title: say`The receiver is failing`,
      text: say`It answers ${statusOf(found)}. The fault is on its side.`,
      steps: [
        last === undefined
          ? say`See its log for the event ${{ code: delivery.event_id }}.`
          : say`See its log at ${{ at: last.started_at }} for the event ${{ code: delivery.event_id }}.`
      ]
    }
  },
  dns: ({ host }) => ({
    title: say`The name ${{ theirs: host }} does not exist`,
    text: say`Its address was looked for and not found, so nothing was sent.`,
    steps: [say`Check its spelling.`, say`Check the DNS of the receiver.`]
  }),
  connect_refused: unreachable,
  connect_timeout: unreachable,
  connect_failed: unreachable,
  tls_expired: certificate("is not valid at this time"),
  tls_wrong_host: certificate("is for another host"),
  tls_untrusted: certificate("has no known issuer"),
  tls_failed: ({ host }) => ({
    title: say`No TLS handshake with ${{ theirs: host }}`,
    text: say`The port takes connections and does not speak TLS 1.2 or newer.`,
    steps: [say`Is it the right port? Is it meant to be ${{ code: "http://" }}?`]
  }),
  no_answer: ({ last }) => ({
    title: say`It took the request, then said nothing for ${durationWords(last?.timings_ms.headers ?? last?.duration_ms ?? 0)}`,
    text: say`It may have done the work all the same: the event id tells.`,
    steps: [say`Answer ${{ code: "200" }} first, work later.`, deduplicate]
  }),
  broken_off: ({ delivery }) => ({
    title: say`It began to answer ${{ code: String(delivery.last_status ?? 200) }} and broke off`,
    text: say`The event may have arrived, so it is sent again with the same event id.`,
    steps: [deduplicate, say`See why it ends connections in the middle of an answer.`]
  }),
  blocked: ({ host }) => ({
    title: say`Runhook may not call this address`,
    text: say`${{ theirs: host }} is blocked by policy: private addresses are for the operator to allow.`,
    steps: [say`Ask the operator to allow it.`]
  }),
  send_failed: ({ last }) => ({
    title: say`The connection ended before an answer`,
    text: say`${{ theirs: last?.error ?? "Nothing could be sent" }}.`,
    steps: [say`See what closes connections at the receiver: a proxy, a limit of body size, a crash.`]
  }),
  invalid_answer: ({ last }) => ({
    title: say`What it answers is not HTTP`,
    text: say`${{ theirs: last?.error ?? "The answer could not be read" }}.`,
    steps: [say`Is it the right port? Something else may listen there.`]
  }),
  expired: () => ({
    title: say`Given up after ${String(deliveryHoursMax)} hours without a chance to send`,
    text: say`Its receiver was held back all the time, so that no attempt was made.`,
    steps: [say`Repair the receiver.`, replayIt]
  })
}
