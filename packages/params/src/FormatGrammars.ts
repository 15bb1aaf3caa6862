/** The formats that are grammars, put together as their RFCs write them. */
import * as LinearPattern from "./LinearPattern.ts"

const whole = (grammar: string) => LinearPattern.ofExpression(new RegExp(`^(?:${grammar})$`, "u"))

const hex = "[0-9A-Fa-f]"
const encoded = `%${hex}{2}`

// RFC 3986, section 3.2.2
const octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
const ipv4 = `${octet}(?:\\.${octet}){3}`
const h16 = `${hex}{1,4}`
const ls32 = `(?:${h16}:${h16}|${ipv4})`
const upTo = (count: number) => `(?:(?:${h16}:){0,${count - 1}}${h16})?`
const ipv6 = `(?:${[
  `(?:${h16}:){6}${ls32}`,
  `::(?:${h16}:){5}${ls32}`,
  ...[1, 2, 3, 4].map((count) => `${upTo(count)}::(?:${h16}:){${5 - count}}${ls32}`),
  `${upTo(5)}::${ls32}`,
  `${upTo(6)}::${h16}`,
  `${upTo(7)}::`
].join("|")})`

// RFC 3986, appendix A, and RFC 3987, section 2.2, which adds letters
const delimiters = "!$&'()*+,;="
const uriForms = (letters: string, privateLetters: string) => {
  const unreserved = `A-Za-z0-9\\-._~${letters}`
  const segmentLetter = `(?:[${unreserved}${delimiters}:@]|${encoded})`
  const literalHost = `\\[(?:${ipv6}|[vV]${hex}+\\.[A-Za-z0-9\\-._~${delimiters}:]+)\\]`
  const user = `(?:(?:[${unreserved}${delimiters}:]|${encoded})*@)?`
  const authority = `${user}(?:${literalHost}|(?:[${unreserved}${delimiters}]|${encoded})*)(?::[0-9]*)?`
  const segments = `(?:/${segmentLetter}*)*`
  const query = `(?:\\?(?:${segmentLetter}|[/?${privateLetters}])*)?`
  const ending = `${query}(?:#(?:${segmentLetter}|[/?])*)?`
  const hierarchy = (firstLetter: string) =>
    `(?://${authority}${segments}|/(?:${segmentLetter}+${segments})?|${firstLetter}+${segments}|)${ending}`
  const absolute = `[A-Za-z][A-Za-z0-9+\\-.]*:${hierarchy(segmentLetter)}`
  const relative = hierarchy(`(?:[${unreserved}${delimiters}@]|${encoded})`)
  return { absolute: whole(absolute), any: whole(`${absolute}|${relative}`) }
}
const uris = uriForms("", "")
const planes = Array.from({ length: 14 }, (_, plane) => (plane + 1).toString(16))
const iriLetters = `\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}${planes
  .map((plane) => `\\u{${plane === "e" ? "e1000" : `${plane}0000`}}-\\u{${plane}fffd}`)
  .join("")}`
const privateLetters = "\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}"
const iris = uriForms(iriLetters, privateLetters)

// RFC 6570, section 2; an apostrophe is a literal by its erratum 6937.
const variableLetter = `(?:[A-Za-z0-9_]|${encoded})`
const variable = `${variableLetter}(?:\\.?${variableLetter})*(?::[1-9][0-9]{0,3}|\\*)?`
const literal = `(?:[!#$&-;=?-\\[\\]_a-z~${iriLetters}${privateLetters}]|${encoded})`
const template = `(?:${literal}|\\{[+#./;?&=,!@|]?${variable}(?:,${variable})*\\})*`

// RFC 5321, section 4.1.2
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const quoted = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"'
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
const host = `${label}(?:\\.${label})*`
const mailbox = `(?:${atom}(?:\\.${atom})*|${quoted})@(?:${host}|\\[(?:${ipv4}|IPv6:${ipv6})\\])`

// RFC 3339, appendix A
const seconds = "[0-9]+S"
const minutes = `[0-9]+M(?:${seconds})?`
const hours = `[0-9]+H(?:${minutes})?`
const durationTime = `T(?:${hours}|${minutes}|${seconds})`
const days = "[0-9]+D"
const months = `[0-9]+M(?:${days})?`
const years = `[0-9]+Y(?:${months})?`
const duration = `P(?:(?:${days}|${months}|${years})(?:${durationTime})?|${durationTime}|[0-9]+W)`

// RFC 6901, section 3
const pointer = "(?:/(?:[^~/]|~[01])*)*"

/** By the names of their formats. */
export const grammars = {
  ipv4: whole(ipv4),
  ipv6: whole(ipv6),
  uri: uris.absolute,
  "uri-reference": uris.any,
  iri: iris.absolute,
  "iri-reference": iris.any,
  "uri-template": whole(template),
  email: whole(mailbox),
  hostname: whole(host),
  duration: whole(duration),
  uuid: whole(`${hex}{8}-(?:${hex}{4}-){3}${hex}{12}`),
  "json-pointer": whole(pointer),
  "relative-json-pointer": whole(`(?:0|[1-9][0-9]*)(?:#|${pointer})`),
  byte: whole("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
}
