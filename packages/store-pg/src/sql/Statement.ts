/**
 * Statements whose texts are built once. To compose and compile the text of a
 * large statement with every call takes longer than to send it; here only the
 * values change from call to call, and each is read off what is asked.
 *
 *     const stateOf = statement(fixed<AgentRef>`
 *       SELECT state FROM agents WHERE bucket = ${inBucket} AND id = ${uuid(({ id }) => id)}`)
 *
 *     yield* stateOf(sql, { bucket: 7, id })
 */
import type { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"

/** Reads the value of a parameter off what is asked. The same function is the same parameter, however often it stands in a text. */
export type Parameter<Asked> = (asked: Asked) => unknown

/** A piece of SQL that is the same for everything that is asked. */
export interface Fixed<in Asked> {
  readonly parts: ReadonlyArray<string | Parameter<Asked>>
}

/** What may stand in a text: another text, words of SQL that the program knows, a parameter. */
export type Part<Asked> = Fixed<Asked> | string | number | Parameter<Asked>

/** Every statement keeps to one bucket. */
export interface InBucket {
  readonly bucket: number
}

/** A piece of SQL. Lines of comments are for its readers, and not sent. */
export const fixed = <Asked = unknown>(
  words: TemplateStringsArray,
  ...parts: ReadonlyArray<Part<Asked>>
): Fixed<Asked> => ({
  parts: words.flatMap((each, place) => {
    const word = each.replaceAll(commentLine, "")
    const part = parts[place]
    return part === undefined ? [word] : [word, ...partsOf(part)]
  })
})

const commentLine = /^ *--.*\n/gm

const partsOf = <Asked>(part: Part<Asked>): Fixed<Asked>["parts"] =>
  typeof part === "object" ? part.parts : [typeof part === "number" ? `${part}` : part]

/** Texts one after the other. */
export const joined = <Asked>(separator: string, texts: ReadonlyArray<Fixed<Asked>>): Fixed<Asked> => ({
  parts: texts.flatMap(({ parts }, place) => (place === 0 ? parts : [separator, ...parts]))
})

/** The statement of a text: its words are put together here, its values when it is asked. */
export const statement = <Asked>({ parts }: Fixed<Asked>) => {
  const parameters = [...new Set(parts.filter((part) => typeof part === "function"))]
  const words = parts
    .map((part) => (typeof part === "function" ? `$${parameters.indexOf(part) + 1}` : part))
    .join("")
  return (sql: SqlClient, asked: Asked): Statement<object> =>
    sql.unsafe(
      words,
      parameters.map((read) => read(asked))
    )
}
