/** Durations, sizes and counts as words. */

const parts = [
  { ms: 86_400_000, unit: "d" },
  { ms: 3_600_000, unit: "h" },
  { ms: 60_000, unit: "min" },
  { ms: 1_000, unit: "s" }
] as const

/** `84 ms`, `1.2 s`, `41 s`, `6 min 40 s`, `3 h 4 min`, `70 d`: the two largest units at most. */
export const durationWords = (ms: number): string => {
  if (!(ms >= 0)) return "0 ms"
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 10_000) return `${Number((ms / 1_000).toFixed(1))} s`
  const seconds = Math.round(ms / 1_000) * 1_000
  const first = parts.findIndex((part) => seconds >= part.ms)
  const [large, small] = [parts[first], parts[first + 1]]
  if (large === undefined) return "0 s"
  const count = Math.floor(seconds / large.ms)
  const rest = small === undefined ? 0 : Math.floor((seconds % large.ms) / small.ms)
  const largeWords = `${countWords(count)} ${large.unit}`
  return small === undefined || rest === 0 || (large.unit === "d" && count >= 10)
    ? largeWords
    : `${largeWords} ${rest} ${small.unit}`
}

/** The time between two moments of the API; null while one of them is unknown. */
export const spanWords = (from: string | null, to: string | null): string | null =>
  from === null || to === null ? null : durationWords(Date.parse(to) - Date.parse(from))

/** `380 bytes`, `16 kB`, `1.2 MB`: 1,000 bytes to the kB, as file managers and browsers count. */
export const byteWords = (bytes: number): string => {
  if (bytes < 1_000) return bytes === 1 ? "1 byte" : `${bytes} bytes`
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), 4)
  const amount = bytes / 1_000 ** power
  return `${amount < 10 ? Number(amount.toFixed(1)) : Math.round(amount)} ${["kB", "MB", "GB", "TB"][power - 1]}`
}

/** A name of the API as words: `signing_secret.rotated` is `Signing secret rotated`. */
export const sentenceCase = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[._]/g, " ")

const counts = new Intl.NumberFormat("en", { maximumFractionDigits: 0 })

/** `8,472` */
export const countWords = (count: number): string => counts.format(count)

/** `214`, or `1,000+` if counting stopped there, as it does for receivers. */
export const boundedWords = (count: number, to = 1_000): string =>
  `${countWords(count)}${count >= to ? "+" : ""}`

/** `1 delivery`, `8,472 deliveries` */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${countWords(count)} ${count === 1 ? one : many}`

/** `99.7%`; 100% only when it is all of them. */
export const shareWords = (part: number, whole: number): string => {
  if (whole === 0) return "none"
  const share = (100 * part) / whole
  const rounded = Number(share.toFixed(share > 90 && share < 100 ? 1 : 0))
  return `${part < whole ? Math.min(rounded, 99.9) : rounded}%`
}
