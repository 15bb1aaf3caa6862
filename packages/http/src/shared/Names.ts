/**
 * Names on the wire and in the domain: `created_at` is `createdAt`. Only what differs
 * by more than its name is written down.
 */
import type * as Schema from "effect/Schema"

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

const camelOf = (name: string): string =>
  name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** The fields of the wire that a thing has itself. */
type Own<Wire, Thing> = {
  [Name in keyof Wire & string]: Camel<Name> extends keyof Thing
    ? Thing[Camel<Name>] extends Wire[Name]
      ? Name
      : never
    : never
}[keyof Wire & string]

/** How the others are made, and its own where they are shown otherwise. */
type Made<Wire, Thing> = {
  readonly [Name in Exclude<keyof Wire, Own<Wire, Thing>>]: (thing: Thing) => Wire[Name]
} & { readonly [Name in Own<Wire, Thing>]?: (thing: Thing) => Wire[Name] }

type Shape = { readonly fields: Schema.Struct.Fields; readonly Type: object }

/** What an answer shows of a thing; the envelope adds the request id. */
type Shown<S extends Shape> = Omit<S["Type"], "request_id">

/** Shows a thing by its schema: each field is the thing's own, unless `made` computes it. */
export const showing =
  <S extends Shape>({ fields }: S) =>
  <Thing extends object>(made: Made<Shown<S>, Thing>): ((thing: Thing) => Shown<S>) => {
    const makers = new Map<string, unknown>(Object.entries(made))
    const parts = Object.keys(fields)
      .filter((name) => name !== "request_id")
      .map((name) => ({
        name,
        own: camelOf(name),
        make: makers.get(name) as ((thing: Thing) => unknown) | undefined
      }))
    // Filling a copy costs half of adding one field after the other.
    const empty = Object.fromEntries(parts.map(({ name }) => [name, null]))
    return (thing) => {
      const values = thing as { readonly [name: string]: unknown }
      const wire: { [name: string]: unknown } = { ...empty }
      for (const { make, name, own } of parts) wire[name] = make === undefined ? values[own] : make(thing)
      return wire as Shown<S>
    }
  }

type InDomain<Body> = { readonly [Name in keyof Body as Camel<Name & string>]: Body[Name] }

/** What a body says, under the names of the domain. */
export const inDomainNames = <Body extends object>(body: Body): InDomain<Body> => {
  const named: { [name: string]: unknown } = {}
  for (const [name, value] of Object.entries(body)) named[camelOf(name)] = value
  return named as InDomain<Body>
}
