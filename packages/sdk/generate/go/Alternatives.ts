/**
 * Go has no type for one of several objects. What a call answers in one of several forms is one struct, which has the
 * name of the first and the fields of all.
 */
import type * as SchemaRepresentation from "effect/SchemaRepresentation"
import type { Definition } from "../Definitions.ts"
import { operations } from "../Operations.ts"

type Signature = SchemaRepresentation.PropertySignature

/** The forms of one answer, the first before the others. */
const groups: ReadonlyArray<ReadonlyArray<string>> = operations
  .filter(({ api, answers }) => api === "Integration" && answers.length > 1)
  .map(({ answers }) => answers)

const groupOf = (name: string) => groups.find((group) => group.includes(name))

/** The name of the struct that stands for a schema. */
export const standIn = (name: string): string => groupOf(name)?.[0] ?? name

/** The definitions, with one in place of those that are forms of one answer. */
export const withAlternatives = (definitions: ReadonlyArray<Definition>): ReadonlyArray<Definition> =>
  definitions.flatMap((definition) => {
    const group = groupOf(definition.name)
    if (group === undefined) return [definition]
    if (group[0] !== definition.name) return []
    const forms = definitions.filter(({ name }) => group.includes(name))
    return [{ ...definition, representation: merged(forms) }]
  })

const fieldsOf = ({ name, representation }: Definition): ReadonlyArray<Signature> => {
  if (representation._tag !== "Objects") throw new Error(`${name} is no object`)
  return representation.propertySignatures
}

const merged = (forms: ReadonlyArray<Definition>): SchemaRepresentation.Objects => {
  const [first] = forms
  if (first?.representation._tag !== "Objects") throw new Error("a form of an answer is no object")
  const names = new Set(forms.flatMap((form) => fieldsOf(form).map(({ name }) => name)))
  const propertySignatures = Array.from(names, (name): Signature => {
    const those = forms.flatMap((form) => fieldsOf(form).filter((field) => field.name === name))
    const widest = those.toSorted((one, other) => widthOf(other) - widthOf(one))[0]
    if (widest === undefined) throw new Error(`no form has ${String(name)}`)
    return { ...widest, isOptional: those.length < forms.length || those.some((field) => field.isOptional) }
  })
  return { ...first.representation, propertySignatures }
}

/** What may be more things is wider. */
const widthOf = ({ type }: Signature): number => (type._tag === "Union" ? type.types.length : 1)
