/** A name that nothing else has. Unlike `randomUUID`, it can also be made in a page without TLS. */
export const randomName = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-")
