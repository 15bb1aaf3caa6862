/**
 * Reads values that plainly match their schema, in a fraction of the schema's time. Anything else is unclear: the
 * schema reads it, or says what is wrong with it.
 */
import { AnyId } from "@runhook/core/shared/Ids"
import { isJsonObject } from "@runhook/core/shared/json/Json"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

/** What a plain reader answers of a value that it leaves to the schema. */
export const unclear = Symbol("unclear")

export type ReadPlainly = (value: unknown) => unknown

type Options = SchemaAST.ParseOptions | undefined

/** Reads an object field by field. The schemas of its fields, and of any non-object, read those. */
export const plainReader = (ast: SchemaAST.AST, options: Options): ReadPlainly => {
  if (isId(ast)) return readId
  if (ast.checks !== undefined || ast.encoding !== undefined) return schemaReader(ast, options)
  const [only = ast, ...others] = SchemaAST.isUnion(ast) ? ast.types : []
  if (only !== ast && others.length === 0) return plainReader(only, options)
  return SchemaAST.isObjects(ast) && ast.indexSignatures.length === 0
    ? fieldsReader(ast, options)
    : schemaReader(ast, options)
}

const fieldsReader = ({ propertySignatures }: SchemaAST.Objects, options: Options): ReadPlainly => {
  const fields = propertySignatures.map(({ name, type }) => ({
    name: String(name),
    isOptional: SchemaAST.isOptional(type) && SchemaAST.isOptional(SchemaAST.toEncoded(type)),
    read: plainReader(type, options)
  }))
  const mayHaveMore = options?.onExcessProperty !== "error"
  return (value) => {
    if (!isJsonObject(value)) return unclear
    const read: Record<string, unknown> = {}
    let count = 0
    for (const field of fields) {
      if (Object.hasOwn(value, field.name)) {
        const part = field.read(value[field.name])
        if (part === unclear) return unclear
        read[field.name] = part
        count += 1
      } else if (!field.isOptional) return unclear
    }
    return mayHaveMore || Object.keys(value).length === count ? read : unclear
  }
}

const schemaReader = (ast: SchemaAST.AST, options: Options): ReadPlainly => {
  const decode = Schema.decodeUnknownExit(Schema.make<Schema.Codec<unknown>>(ast), options)
  return (value) => {
    const exit = decode(value)
    return Exit.isSuccess(exit) ? exit.value : unclear
  }
}

/** As ids are made; one in capitals is lowered by its schema. */
const readId: ReadPlainly = (value) => (typeof value === "string" && idForm.test(value) ? value : unclear)

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An id is recognized by its decoder, which is the same object however it is annotated; and nothing else is asked of it. */
const isId = ({ checks, encoding }: SchemaAST.AST): boolean =>
  encoding?.[0].transformation.decode === idReading && checks?.length === AnyId.ast.checks?.length

const idReading = AnyId.ast.encoding?.[0].transformation.decode
