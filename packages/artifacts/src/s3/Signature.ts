/** Signs requests and URLs for a bucket (AWS Signature Version 4). */
import { AwsV4Signer } from "aws4fetch"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import type { Bucket } from "./Bucket.ts"

export interface Unsigned {
  readonly method: "DELETE" | "GET" | "HEAD" | "PUT"
  readonly url: URL
  /** By lower-case name. All of them are signed, so who sends the request can leave none out and change none. */
  readonly headers: Readonly<Record<string, string>>
  readonly at: DateTime.Utc
}

/** The headers with which the service sends the request itself. */
export const signedHeaders = async (bucket: Bucket, request: Unsigned): Promise<Record<string, string>> => {
  const { headers } = await signer(bucket, request, false).sign()
  return Object.fromEntries(headers)
}

/** A URL with which anybody may send the request, with these headers, until it expires. */
export const signedUrl = async (
  bucket: Bucket,
  { expiresIn, ...request }: Unsigned & { readonly expiresIn: Duration.Duration }
): Promise<string> => {
  const url = new URL(request.url)
  url.searchParams.set("X-Amz-Expires", String(Duration.toSeconds(expiresIn)))
  const { url: signed } = await signer(bucket, { ...request, url }, true).sign()
  // Stores differ in whether a plus is a space. A plus itself is %2B.
  signed.search = signed.search.replaceAll("+", "%20")
  return signed.href
}

const signer = (
  { accessKeyId, region, secretAccessKey, sessionToken }: Bucket,
  { at, headers, method, url }: Unsigned,
  signQuery: boolean
) =>
  new AwsV4Signer({
    method,
    url: url.href,
    headers,
    accessKeyId: Redacted.value(accessKeyId),
    secretAccessKey: Redacted.value(secretAccessKey),
    ...(sessionToken !== null && { sessionToken: Redacted.value(sessionToken) }),
    service: "s3",
    region,
    datetime: new Date(at.epochMilliseconds).toISOString().replace(/[:-]|\.\d{3}/g, ""),
    signQuery,
    allHeaders: true
  })
