/** A unique name. Unlike `randomUUID`, it also works in a page without TLS. */
export const randomName = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-")

/** An idempotency key that a header can hold. The service takes no other. */
export const checkedKey = (key: string): string => {
  if (/^[!-~]{1,255}$/.test(key)) return key
  throw new TypeError("idempotencyKey must be 1 to 255 visible ASCII characters")
}
