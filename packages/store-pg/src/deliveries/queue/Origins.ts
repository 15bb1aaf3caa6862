/** Origins of callback URLs, in SQL. */
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * The origin of a column of callback URLs: the text up to the path. Stored URLs
 * have the form that WHATWG URL gives them, without user info and default ports,
 * so this is what `URL.origin` answers.
 */
export const originSql = (url: string): string => `substring(${url} FROM '^[a-z]+://[^/?#]+')`

/** The number under which lists find an origin. An account may choose origins of one number, and makes its own list longer by it. */
export const numberOf = (origin: string): string => `hashtextextended(${origin}, 0)`

export const originOf = (sql: SqlClient, url: string): Fragment => sql.literal(originSql(url))
