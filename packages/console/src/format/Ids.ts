/** Ids and URLs in short. */

/** `01a200d1…c3d4`: the beginning encodes the time, the end tells it from others. */
export const shortId = (id: string): string => (id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id)

/** A URL without `https://`, which is the default; `http://` is kept. */
export const urlWords = (url: string): string => url.replace(/^https:\/\//, "")

/** Scheme, host and port; the text itself if it is no URL. */
export const originOf = (url: string): string => URL.parse(url)?.origin ?? url
