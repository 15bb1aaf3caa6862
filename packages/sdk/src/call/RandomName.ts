/** A unique name. Unlike `randomUUID`, it also works in a page without TLS. */
export const randomName = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-")
