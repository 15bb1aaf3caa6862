/** What is wrong with the text of a query, before anybody reads its values. */
import type { FieldIssue } from "../errors/SchemaIssues.ts"

/** Parameters that are not percent-encoded UTF-8. What cannot be decoded would be taken as it stands. */
export const undecodableParameters = (url: string): ReadonlyArray<FieldIssue> =>
  parametersOf(url)
    .filter((parameter) => decoded(parameter) === undefined)
    .map((parameter) => ({ path: ["query", nameOf(parameter)], message: "must be percent-encoded UTF-8" }))

/** Every parameter, for where none is read. */
export const unreadParameters = (url: string): ReadonlyArray<FieldIssue> =>
  [...new Set(parametersOf(url).map(nameOf))].map((name) => ({
    path: ["query", name],
    message: "is not a known field"
  }))

/** Split as the router does, for which `;` begins a query as `?` does. */
const parametersOf = (url: string): ReadonlyArray<string> => {
  const start = url.search(/[?;#]/)
  return start === -1
    ? []
    : url
        .slice(start + 1)
        .split("&")
        .filter((parameter) => parameter !== "")
}

const nameOf = (parameter: string): string => {
  const name = parameter.split("=", 1)[0] ?? ""
  return decoded(name.replaceAll("+", " ")) ?? name
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
