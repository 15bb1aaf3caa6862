/** A call of the contract as the values that a command is made of. */

/** A parameter of the query, or a field of the body. */
export interface Field {
  /** Choices, where there are only some. */
  readonly type: "boolean" | "integer" | "json" | "text" | ReadonlyArray<string>
  /** What it stands for in the usage. */
  readonly metavar?: string
  readonly isList?: boolean
  readonly isRequired?: boolean
  readonly says?: string
}

export interface Operation {
  readonly method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT"
  /** Below its owner, with the ids in braces. */
  readonly path: string
  readonly summary: string
  readonly description: string
  /** Those that the command takes, by name. */
  readonly query: Readonly<Record<string, Field>>
  /** The same; fields of an object within are named `execution.params`. Undefined if there is no body. */
  readonly body?: Readonly<Record<string, Field>>
}
