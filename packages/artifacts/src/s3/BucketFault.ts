/** Why a bucket cannot be used, worded so that an operator knows what to repair. Never a key, nor a signed URL. */
import * as Schema from "effect/Schema"

/** The store did not do what was asked. */
export class BucketFault extends Schema.TaggedError<BucketFault>()("BucketFault", {
  reason: Schema.String,
  /** Whether only room is missing. */
  isFull: Schema.Boolean,
  /** Whether the same request may succeed at once. */
  isMomentary: Schema.Boolean
}) {
  override get message() {
    return this.reason
  }
}

/** No answer came, or not all of it. */
export const unreached = (origin: string, cause: unknown): BucketFault => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "no answer"
  return new BucketFault({
    reason: `${origin} cannot be reached (${code}): see whether the store runs, or correct AWS_ENDPOINT_URL`,
    isFull: false,
    isMomentary: true
  })
}

export const tooSlow = (origin: string): BucketFault =>
  new BucketFault({ reason: `${origin} does not answer in time`, isFull: false, isMomentary: false })

/** The store ignores the range of a request. */
export const tooLong = (origin: string): BucketFault =>
  new BucketFault({
    reason: `${origin} sends more than it is asked for: see that it takes ranges`,
    isFull: false,
    isMomentary: false
  })

/** The store keeps bytes without looking at their SHA-256. */
export const unchecked = new BucketFault({
  reason: "the store does not check the SHA-256 of uploads (x-amz-checksum-sha256): use one that does",
  isFull: false,
  isMomentary: false
})

/** The store answered, and refused. */
export const refusal = ({ status, code, secondsAhead }: Refused): BucketFault =>
  new BucketFault({
    reason: `${reasonOf(code, secondsAhead)} (${code ?? "without a reason"}, ${status})`,
    isFull: status === 507 || fullCodes.has(code ?? ""),
    isMomentary: status >= 500 && status !== 507
  })

export interface Refused {
  readonly status: number
  /** The store's name of its reason, such as `AccessDenied`; undefined if it gave none. */
  readonly code: string | undefined
  /** How far the store's clock is ahead of ours; undefined if it did not say. */
  readonly secondsAhead: number | undefined
}

const fullCodes: ReadonlySet<string> = new Set([
  "QuotaExceeded",
  "XMinioAdminBucketQuotaExceeded",
  "XMinioStorageFull"
])

const rights =
  "the key may not do this: let it have s3:PutObject, s3:GetObject and s3:DeleteObject on the prefix, and s3:ListBucket on the bucket"
const region = "the bucket is in another region: correct AWS_REGION"

const explanations: { readonly [code: string]: string } = {
  AccessDenied: rights,
  AuthorizationHeaderMalformed: region,
  ExpiredToken: "the session token has ended: set a new one, and restart",
  InvalidAccessKeyId: "the store does not know the key: correct AWS_ACCESS_KEY_ID",
  InvalidToken: "the store refuses the session token: correct AWS_SESSION_TOKEN",
  NoSuchBucket: "there is no such bucket: make it, or correct RUNHOOK_ARTIFACTS_URL",
  PermanentRedirect: region,
  QuotaExceeded: "the bucket is full",
  SignatureDoesNotMatch: "the store refuses the signature: correct AWS_SECRET_ACCESS_KEY",
  SlowDown: "the store gets too many requests",
  XMinioAdminBucketQuotaExceeded: "the bucket is full",
  XMinioStorageFull: "the store is full"
}

const reasonOf = (code: string | undefined, secondsAhead: number | undefined): string => {
  if (code === "RequestTimeTooSkewed" && secondsAhead !== undefined) {
    const minutes = Math.round(Math.abs(secondsAhead) / 60)
    const which = secondsAhead < 0 ? "behind" : "ahead of"
    return `the store's clock is ${minutes} minutes ${which} the database's, which signs: correct the wrong one`
  }
  return explanations[code ?? ""] ?? "the store refused the request"
}
