/** A name that nothing else has, of 32 hex digits. Unlike `randomUUID`, it can also be made in a page without TLS. */
export const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    ""
  )
