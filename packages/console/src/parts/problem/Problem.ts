/** The one place that translates the error of a call into what the user reads. */
import {
  ApiError,
  ConnectionError,
  ForbiddenError,
  InternalError,
  type Json,
  NotFoundError,
  RateLimitedError,
  RunhookError,
  TimeoutError,
  UnauthorizedError
} from "@runhook/sdk/admin"
import { durationWords } from "../../format/Amounts.ts"
import { isList, isMembers } from "../../format/Json.ts"
import type { Tone } from "../Looks.ts"

export type ProblemKind =
  | "lost"
  | "signed-out"
  | "forbidden"
  | "gone"
  | "conflict"
  | "refused"
  | "limited"
  | "failed"

export interface Problem {
  readonly kind: ProblemKind
  readonly title: string
  readonly text: string
  readonly tone: Tone
  /** Whether a retry may succeed. */
  readonly isPassing: boolean
  readonly requestId: string | null
  readonly retryAfterMs: number | null
  /** The errors by field, under the API's names; "" for those that belong to none. */
  readonly fields: Readonly<Record<string, string>>
  /** The fields beside which their error is shown already. */
  readonly said: Set<string>
}

/** Longest message of the service that is shown. */
const sentenceMax = 200

/** `what` is the requested object: `delivery`. */
export const problemOf = (error: unknown, what = "page"): Problem => {
  const requestId = error instanceof RunhookError ? error.requestId : null
  const retryAfterMs = error instanceof RunhookError ? error.retryAfterMs : null
  const problem = (
    kind: ProblemKind,
    tone: Tone,
    title: string,
    text: string,
    more: Partial<Problem> = {}
  ): Problem => ({
    kind,
    tone,
    title,
    text,
    isPassing: false,
    requestId,
    retryAfterMs,
    fields: {},
    said: new Set(),
    ...more
  })

  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return problem("lost", "warn", "Connection lost", lost, { isPassing: true })
  if (error instanceof UnauthorizedError)
    return problem("signed-out", "warn", "You were signed out", "Sign in again, then come back.")
  if (error instanceof ForbiddenError)
    return detailsOf(error.details).reason === "role"
      ? problem("forbidden", "bad", "Your role is viewer", viewer)
      : problem("forbidden", "bad", "This is not allowed", sentence(error.message))
  if (error instanceof NotFoundError) return problem("gone", "quiet", `This ${what} is not here`, gone)
  if (error instanceof RateLimitedError) {
    const wait = retryAfterMs ?? 1_000
    const title = `Too many requests, for ${durationWords(wait)}`
    return problem("limited", "quiet", title, limited, { isPassing: true, retryAfterMs: wait })
  }
  if (error instanceof ApiError && error.status === 409)
    return problem("conflict", "warn", "It has changed in the meantime", sentence(error.message))
  if (error instanceof ApiError && !(error instanceof InternalError))
    return problem("refused", "bad", "Check your input", sentence(error.message), { fields: fieldsOf(error) })
  return problem("failed", "bad", "The server could not answer", failed, { isPassing: true })
}

const lost = "The service did not answer."
const viewer = "Only admins can change things. What you typed is kept."
const gone = "It was deleted, or the id belongs to another account."
const limited = "This page will retry by itself. Your API keys have limits of their own and are not affected."
const failed = "This is not your fault. Give the operator the request id."

const sentence = (said: string): string => {
  // The field stands beside it.
  const text = said.replace(/^(?:body|query)\.[\w.]+: (.)/s, (_, first: string) => first.toUpperCase())
  const short = text.length > sentenceMax ? `${text.slice(0, sentenceMax)}…` : text
  return /[.…]$/.test(short) ? short : `${short}.`
}

interface Details {
  readonly reason?: Json
  readonly issues?: Json
}

const detailsOf = (details: Json): Details => (isMembers(details) ? details : {})

/** The issues of a refusal by field: `["body", "callback_url"]` and `/callback_url` are both `callback_url`. */
const fieldsOf = ({ details, message }: ApiError): Record<string, string> => {
  const { issues } = detailsOf(details)
  const listed = isList(details) ? details : isList(issues) ? issues : []
  const fields: Record<string, string> = {}
  for (const issue of listed) {
    if (!isMembers(issue) || typeof issue["message"] !== "string") continue
    const { path = "" } = issue
    fields[fieldOf(isList(path) ? path.join(".") : String(path))] ??= fieldSentence(issue["message"])
  }
  if (Object.keys(fields).length > 0) return fields
  const [, named, said] = /^(?:body|query)\.([\w.]+): (.+)$/s.exec(message) ?? []
  return named === undefined || said === undefined ? {} : { [named]: fieldSentence(said) }
}

/** The service says `is required` and the like, which stands below the field here. */
const fieldSentence = (said: string): string =>
  said === "is required"
    ? "This field is required."
    : sentence(`${said.charAt(0).toUpperCase()}${said.slice(1)}`)

const fieldOf = (path: string): string =>
  path
    .replace(/^(?:body|query|params)\.?/, "")
    .replace(/^\//, "")
    .replaceAll("/", ".")
