/** Origins of callback URLs, in SQL. */
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * The origin of a column of callback URLs: the text up to the path. Stored URLs have the form that WHATWG URL gives
 * them, without user info and default ports, so this equals `URL.origin`.
 */
export const originSql = (url: string): string => `substring(${url} FROM '^[a-z]+://[^/?#]+')`

/**
 * The number under which lists find an origin. An account that chooses origins with equal numbers only makes its own
 * list longer.
 */
export const numberOf = (origin: string): string => `hashtextextended(${origin}, 0)`

export const originOf = (sql: SqlClient, url: string): Fragment => sql.literal(originSql(url))
