/** Ids as they are shown where there is little room. */

/** `01a200d1…c3d4`: the beginning tells when, the end tells which. */
export const shortId = (id: string): string => (id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id)

/** Whether a text is an id of the service, and may belong to anything it has. */
export const isId = (text: string): boolean =>
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text)

/** A URL with as little as tells it from others: `https://` goes without saying, `http://` does not. */
export const urlWords = (url: string): string => url.replace(/^https:\/\//, "")

/** Scheme, host and port. The text itself where it is no URL. */
export const originOf = (url: string): string => URL.parse(url)?.origin ?? url
