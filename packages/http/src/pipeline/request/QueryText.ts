/** What is wrong with the text of a query, before its values are read. */
import type { FieldIssue } from "../../errors/SchemaIssues.ts"

/** Parameters that are not percent-encoded UTF-8. Otherwise, undecodable text would be taken literally. */
export const undecodableParameters = (url: string): ReadonlyArray<FieldIssue> =>
  parametersOf(url)
    .filter((parameter) => decoded(parameter) === undefined)
    .map((parameter) => ({ path: ["query", nameOf(parameter)], message: "must be percent-encoded UTF-8" }))

/** Every parameter, for endpoints that read none. */
export const unreadParameters = (url: string): ReadonlyArray<FieldIssue> =>
  [...new Set(parametersOf(url).map(nameOf))].map((name) => ({
    path: ["query", name],
    message: "is not a known field"
  }))

/** Split as the router does: for it `;` begins a query as well as `?`. */
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
