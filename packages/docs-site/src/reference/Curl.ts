/** A call of an operation that works when pasted into a shell. */
import type { Operation } from "./Reference.ts"

export const curlOf = (
  operation: Operation,
  { baseUrl, keyVariable }: { readonly baseUrl: string; readonly keyVariable: string }
): string => {
  const { answers, body, method, needsKey, parameters } = operation
  const query = parameters
    .filter(({ field, place }) => place === "query" && field.isRequired)
    .map(({ example, name }) => `${name}=${encodeURIComponent(String(example))}`)
  const url = baseUrl + pathOf(operation) + (query.length > 0 ? `?${query.join("&")}` : "")
  const headers = parameters
    .filter(({ field, place }) => place === "header" && field.isRequired)
    .map(({ example, name }) => `-H ${quoted(`${name}: ${String(example)}`)}`)
  const [example] = body?.examples ?? []
  const isFile = answers.some(({ status }) => status === "302")
  return [
    `curl -sS${isFile ? " -L -o file" : ""}${method === "GET" ? "" : ` -X ${method}`} ${quoted(url)}`,
    ...(needsKey ? [`-H "Authorization: Bearer $${keyVariable}"`] : []),
    ...headers,
    ...(body === undefined || example === undefined
      ? []
      : [`-H ${quoted(`Content-Type: ${body.contentType}`)}`, `-d ${quoted(bodyText(example.value))}`])
  ].join(" \\\n  ")
}

const pathOf = ({ parameters, path }: Operation): string =>
  parameters
    .filter(({ place }) => place === "path")
    .reduce((text, { example, name }) => text.replace(`{${name}}`, encodeURIComponent(String(example))), path)

/** The longest body on one line, in characters. */
const lineLength = 60

const bodyText = (value: unknown): string => {
  const line = JSON.stringify(value)
  return line.length > lineLength ? JSON.stringify(value, null, 2) : line
}

/** Any text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
