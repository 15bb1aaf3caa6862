/**
 * JSON as a store holds it: a text that goes from its column to an answer as it is.
 * It is parsed when its value is first needed.
 */
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { type Json, type JsonObject, KnownJsonObject } from "./Json.ts"
import { textBytes } from "./JsonBytes.ts"

export class StoredJson<out A extends Json = Json> implements Equal.Equal {
  /** Without white space between its parts, as `JSON.stringify` writes it. */
  readonly text: string
  #value: A | undefined

  private constructor(text: string, value: A | undefined) {
    this.text = text
    this.#value = value
  }

  /** From a value. */
  static of<A extends Json>(value: A): StoredJson<A> {
    return new StoredJson(JSON.stringify(value), value)
  }

  /** From a stored text. It is not parsed before its value is needed. */
  static fromText<A extends Json>(text: string): StoredJson<A> {
    return new StoredJson<A>(text, undefined)
  }

  get value(): A {
    if (this.#value === undefined) this.#value = JSON.parse(this.text)
    return this.#value as A
  }

  /** The bytes of the text in UTF-8. */
  get bytes(): number {
    return textBytes(this.text)
  }

  /** Lets `JSON.stringify` write its value anywhere. */
  toJSON(): A {
    return this.value
  }

  [Equal.symbol](that: Equal.Equal): boolean {
    return that instanceof StoredJson && that.text === this.text
  }

  [Hash.symbol](): number {
    return Hash.string(this.text)
  }
}

/** An object of JSON in the form that stores hold. */
export type StoredObject = StoredJson<JsonObject>

const isStoredObject = (value: unknown): value is StoredObject =>
  value instanceof StoredJson && value.text.startsWith("{")

const fromValue = SchemaTransformation.transform<StoredObject, JsonObject>({
  decode: (value) => StoredJson.of(value),
  encode: ({ value }) => value
})

export const StoredObject = Schema.declare(isStoredObject, {
  expected: "StoredJson of an object",
  toCodecJson: () => Schema.link<StoredObject>()(KnownJsonObject, fromValue)
})

/** The same, as an ordinary object on the outside: in requests and answers. */
export const StoredObjectFromValue = KnownJsonObject.pipe(Schema.decodeTo(StoredObject, fromValue))

/** The same, as text on the outside: in columns. */
export const StoredObjectFromText = Schema.String.pipe(
  Schema.decodeTo(
    StoredObject,
    SchemaTransformation.transform<StoredObject, string>({
      decode: (text) => StoredJson.fromText(text),
      encode: ({ text }) => text
    })
  )
)
