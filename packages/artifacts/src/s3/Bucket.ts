/** A bucket of a store that speaks S3, and how the service works with it. */
import type * as Redacted from "effect/Redacted"

export interface Bucket {
  readonly name: string
  /** What stands before every key, without slashes at its ends; empty for nothing. */
  readonly prefix: string
  readonly region: string
  /** The store's URL without a path, such as `https://minio.example.com:9000`; null for Amazon's. */
  readonly endpoint: string | null
  /** Whether the bucket stands in the path of URLs, or before the host. */
  readonly addressing: "path" | "virtual"
  readonly accessKeyId: Redacted.Redacted
  readonly secretAccessKey: Redacted.Redacted
  /** Of credentials that end. */
  readonly sessionToken: Redacted.Redacted | null
  /** How the store encrypts what it is sent; null for the bucket's own way. */
  readonly encryption: Encryption | null
}

/** `AES256`, or a key of the store's key service; null for the one that the bucket names. */
export type Encryption = "AES256" | { readonly kmsKeyId: string | null }

/** For operators. */
export const nameOf = ({ name, prefix }: Bucket): string => `s3://${name}${prefix === "" ? "" : `/${prefix}`}`

/** Scheme, host and port of all requests for the bucket. */
export const originOf = ({ addressing, endpoint, name, region }: Bucket): string => {
  const { host, protocol } = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  return addressing === "path" ? `${protocol}//${host}` : `${protocol}//${name}.${host}`
}

/** The URL of an object, whose key has no characters that URLs encode. */
export const urlOf = (bucket: Bucket, key: string): URL => {
  const parts = [bucket.addressing === "path" ? bucket.name : "", bucket.prefix, key]
  return new URL(parts.filter((part) => part !== "").join("/"), `${originOf(bucket)}/`)
}

/** The URL of a page of the objects under the prefix. A page is short enough for one answer. */
export const listUrlOf = (bucket: Bucket, after: string | null): URL => {
  const url = new URL(bucket.addressing === "path" ? bucket.name : "", `${originOf(bucket)}/`)
  url.searchParams.set("list-type", "2")
  url.searchParams.set("max-keys", "500")
  if (bucket.prefix !== "") url.searchParams.set("prefix", `${bucket.prefix}/`)
  if (after !== null) url.searchParams.set("start-after", after)
  return url
}

/** The headers that ask for the encryption. */
export const encryptionHeaders = ({ encryption }: Bucket): { readonly [name: string]: string } => {
  if (encryption === null) return {}
  if (encryption === "AES256") return { "x-amz-server-side-encryption": "AES256" }
  const { kmsKeyId } = encryption
  return {
    "x-amz-server-side-encryption": "aws:kms",
    ...(kmsKeyId !== null && { "x-amz-server-side-encryption-aws-kms-key-id": kmsKeyId })
  }
}
