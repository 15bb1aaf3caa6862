/** HMAC-SHA256 over the body's bytes and, with nothing between, the text of the timestamp. */

const keyOf = (secret: string) =>
  crypto.subtle.importKey("raw", utf8(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"])

export const utf8 = (text: string) => new TextEncoder().encode(text)

/** What is signed. */
export interface Signed {
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly timestamp: string
}

const bytesOf = ({ body, timestamp }: Signed): Promise<ArrayBuffer> =>
  new Blob([body, timestamp]).arrayBuffer()

/** The signature in lower-case hex. */
export const sign = async (secret: string, signed: Signed): Promise<string> => {
  const digest = await crypto.subtle.sign("HMAC", await keyOf(secret), await bytesOf(signed))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** Whether the signature, 64 hex digits, is that of the secret. Takes the same time wherever it differs. */
export const isSignedBy = async (secret: string, signature: string, signed: Signed): Promise<boolean> => {
  const digest = Uint8Array.from(signature.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
  return crypto.subtle.verify("HMAC", await keyOf(secret), digest, await bytesOf(signed))
}
