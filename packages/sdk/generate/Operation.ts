/** A call of an API as a plain value. Types are named as `Definitions.ts` names them. */
import type { CallKind } from "@runhook/contract/Call"
import type { ApiName } from "./Spoken.ts"

/** Whose call it is: that of a key, of one account, of the whole service, or of a runner. */
export type Client = "account" | "admin" | "runhook" | "runner"

/** A field of a query that has no type of its own. */
export interface QueryField {
  readonly name: string
  readonly type: "boolean" | "number" | "string"
  readonly isRequired: boolean
  readonly description: string | null
}

export interface Body {
  readonly type: string
  readonly isRequired: boolean
  /** Its field, where it has only one: callers may give that in place of a body. */
  readonly only: {
    readonly name: string
    readonly form: "json" | "list" | "plain"
    /** The type of a list's items, `string` or a named one; null otherwise. */
    readonly item: string | null
  } | null
}

export interface Operation {
  readonly api: ApiName
  readonly client: Client
  /** The nouns and the verb, such as `alerts.targets.create`. */
  readonly call: string
  readonly kind: CallKind
  readonly method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT"
  /** Below the root of the client, such as `/alert-targets/{id}`, with the names of `params`. */
  readonly path: string
  /** The ids in the path, in their order. */
  readonly params: ReadonlyArray<string>
  /** What callers choose in the query: a type, or its fields where it has none. */
  readonly query: { readonly type: string | null; readonly fields: ReadonlyArray<QueryField> } | null
  /** What the call itself sets in the query. */
  readonly fixedQuery: Readonly<Record<string, boolean>>
  readonly body: Body | null
  /** What the call itself sets in the body. */
  readonly fixedBody: Readonly<Record<string, boolean>>
  /** The types of what it answers; of a list, the type of its items. Empty where an answer has no body. */
  readonly answers: ReadonlyArray<string>
  /** The media type of the answer, where it is not JSON. */
  readonly accept: string | null
  /** Whether it may be sent again after an attempt whose outcome is unknown. */
  readonly isRepeatable: boolean
  /** Whether the service waits for news when the query names a `wait` in seconds. */
  readonly hasWait: boolean
  readonly summary: string
  readonly description: string
  readonly example: string | null
  readonly pythonExample: string | null
  /** When it fails, by the code of the error. */
  readonly fails: Readonly<Record<string, string>>
  /** The statuses of its errors. */
  readonly errors: ReadonlyArray<number>
}
