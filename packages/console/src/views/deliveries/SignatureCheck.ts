/** Which of body, timestamp and secret is wrong when a receiver refuses a signature. The secret never leaves the page. */
import type { DeliveryAttempt } from "@runhook/sdk/admin"
import { jsonIn, sameJson } from "../../format/Json.ts"

export interface CheckInput {
  readonly secret: string
  readonly body: string
  readonly timestamp: string
  readonly signature: string
}

export interface Finding {
  /** Whether it matches what was sent; null if nothing was entered or it cannot be told. */
  readonly isRight: boolean | null
  readonly words: string
}

export interface Findings {
  readonly timestamp: Finding
  readonly body: Finding
  readonly secret: Finding
  readonly signature: Finding
}

export interface SentRequest {
  readonly payload: string
  readonly attempt: DeliveryAttempt
  /** The delivery's other attempts, which may have been signed with an earlier secret. */
  readonly others: ReadonlyArray<DeliveryAttempt>
}

/** Signs a text with a secret: lower-case hex. */
export type Signer = (secret: string, text: string) => Promise<string>

export const check = async (
  typed: CheckInput,
  { attempt, others, payload }: SentRequest,
  sign: Signer
): Promise<Findings> => {
  const sent = {
    timestamp: headerOf(attempt, "x-webhook-timestamp"),
    signature: headerOf(attempt, "x-webhook-signature")
  }
  return {
    timestamp: checkTimestamp(typed.timestamp.trim(), sent.timestamp, attempt),
    body: typed.body === "" ? skipped : checkBody(typed.body, payload),
    secret:
      typed.secret === ""
        ? skipped
        : await checkSecret(typed.secret.trim(), { attempt, others, payload }, sign),
    signature: checkSignature(typed.signature.trim(), sent.signature)
  }
}

const right = (words: string): Finding => ({ isRight: true, words })
const wrong = (words: string): Finding => ({ isRight: false, words })
const untold = (words: string): Finding => ({ isRight: null, words })

const skipped = untold("nothing to check")
const unsent = untold("nothing was sent in this attempt")

/** A header of the request; names are case-insensitive. */
export const headerOf = ({ request }: Pick<DeliveryAttempt, "request">, name: string): string | null => {
  const found = Object.entries(request?.headers ?? {}).find(([key]) => key.toLowerCase() === name)
  return found?.[1] ?? null
}

const checkTimestamp = (typed: string, sent: string | null, attempt: DeliveryAttempt): Finding => {
  if (typed === "") return skipped
  if (sent === null) return unsent
  if (typed === sent) return right("is the one that was sent")
  if (!/^\d+$/.test(typed)) return wrong("is not a number of seconds since 1970")
  if (/^\d{13}$/.test(typed)) return wrong("is in milliseconds; it is sent, and signed, in seconds")
  const apart = Number(typed) - Math.floor(Date.parse(attempt.started_at) / 1_000)
  return wrong(
    `is ${Math.abs(apart)} s ${apart < 0 ? "before" : "after"} that of this attempt, which is ${sent}: each attempt has its own`
  )
}

const checkSignature = (typed: string, sent: string | null): Finding => {
  if (typed === "") return skipped
  if (sent === null) return unsent
  if (typed === sent) return right("is the one that was sent")
  if (typed.toLowerCase() === sent) return wrong("is in upper case; it is lower-case hex")
  if (/^v\d,/.test(typed))
    return untold("is that of webhook-signature, which is made in another way: compare X-Webhook-Signature")
  return wrong("is not the one that was sent with this attempt")
}

const checkSecret = async (
  secret: string,
  { attempt, others, payload }: SentRequest,
  sign: Signer
): Promise<Finding> => {
  const isOf = async (each: DeliveryAttempt) => {
    const timestamp = headerOf(each, "x-webhook-timestamp")
    const signature = headerOf(each, "x-webhook-signature")
    return timestamp !== null && signature !== null && (await sign(secret, payload + timestamp)) === signature
  }
  if (headerOf(attempt, "x-webhook-signature") === null) return unsent
  if (await isOf(attempt)) return right("is the one that signed this attempt")
  for (const other of others) {
    if (await isOf(other)) {
      const when =
        other.started_at < attempt.started_at
          ? "an earlier one: it has been replaced since"
          : "a later one: this attempt was signed by the one before it"
      return wrong(
        `did not sign this attempt. It signed attempt ${other.number} of round ${other.round}, ${when}`
      )
    }
  }
  return wrong("signed none of the attempts shown here")
}

/** The first difference, by its byte offset, and by name if it has one. */
const checkBody = (typed: string, sent: string): Finding => {
  return typed === sent
    ? right("is the one that was sent, byte by byte")
    : wrong(`${differenceOf(typed, sent)}. Sign the raw bytes as they came, before anything reads them`)
}

const differenceOf = (typed: string, sent: string): string => {
  const at = firstDifference(typed, sent)
  const byte = new TextEncoder().encode(sent.slice(0, at)).length
  if (typed.trimEnd() === sent) return `has ${namesOf(typed.slice(sent.length))} at its end that was not sent`
  if (typed === sent.trimEnd() || (sent.startsWith(typed) && typed !== "")) return `was cut at byte ${byte}`
  const where = `differs from what was sent at byte ${byte}`
  if (typed.slice(at, at + 2) === "\\/" && sent[at] === "/") return `${where}: "/" was escaped as "\\/"`
  if (/^\s/.test(typed.slice(at)))
    return `${where}: ${namesOf(typed[at] ?? "")} that was not sent. The JSON was read and written again`
  if (isSameJson(typed, sent))
    return `${where}, though it says the same: the JSON was read and written again, maybe with its keys in another order`
  return where
}

const firstDifference = (one: string, other: string): number => {
  let at = 0
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1
  return at
}

const namesOf = (text: string): string => {
  if (/^\r?\n/.test(text)) return "a line break"
  return text.startsWith(" ") ? "a space" : "something"
}

const isSameJson = (one: string, other: string): boolean => {
  const value = jsonIn(one)
  return value !== undefined && sameJson(value) === sameJson(jsonIn(other))
}

/** Uses Web Crypto; null if the browser has none, as on plain http. */
export const webSigner = (subtle: SubtleCrypto | undefined): Signer | null => {
  if (subtle === undefined) return null
  const bytes = (text: string) => new TextEncoder().encode(text)
  return async (secret, text) => {
    const key = await subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, [
      "sign"
    ])
    const digest = await subtle.sign("HMAC", key, bytes(text))
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")
  }
}
