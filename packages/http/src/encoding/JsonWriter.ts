/**
 * Answers as finished text. A writer is made once, from the contract, by a walk
 * over the schema of an answer; it refuses schemas that it does not know. It goes
 * from the *Type* straight to the text that `JSON.stringify` gives for the encoded
 * value. What the compiler has checked, it does not check again.
 */
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { leafOf, literalsWriter, type Write } from "./LeafWriters.ts"
import { choiceOf, literalsOf } from "./UnionWriter.ts"

/** Throws for a schema with an unknown part, and names that part. */
export const writerOf = <S extends Schema.Top>(schema: S): ((value: S["Type"]) => string) => {
  const { ast } = Schema.toCodecJson(schema)
  return writerAt(ast, SchemaAST.resolveIdentifier(ast) ?? ast._tag)
}

const writerAt = (ast: SchemaAST.AST, path: string): Write => {
  const leaf = leafOf(ast, path)
  if (leaf !== undefined) return leaf
  const fields = classFieldsOf(ast) ?? ast
  if (fields.encoding === undefined) {
    if (SchemaAST.isArrays(fields)) return arrayWriter(fields, path)
    if (SchemaAST.isObjects(fields)) return objectWriter(fields, path)
    if (SchemaAST.isUnion(fields)) return unionWriter(fields, path)
  }
  throw new Error(`${path}: no writer can be made of a ${ast._tag} like this one`)
}

/** The fields of a class, such as an error: those are written of an instance. */
const classFieldsOf = (ast: SchemaAST.AST): SchemaAST.AST | undefined => {
  const [fields, ...others] = SchemaAST.isDeclaration(ast) ? ast.typeParameters : []
  const isClass = ast.encoding?.length === 1 && SchemaAST.isObjects(ast.encoding[0].to) && others.length === 0
  return isClass && fields !== undefined && SchemaAST.isObjects(fields) ? fields : undefined
}

const arrayWriter = ({ elements, rest: [item, ...others] }: SchemaAST.Arrays, path: string): Write => {
  if (item === undefined || others.length > 0 || elements.length > 0) {
    throw new Error(`${path}: no writer can be made of an array with places of their own`)
  }
  const write = writerAt(item, `${path}[]`)
  return (value) => {
    if (!Array.isArray(value)) throw new TypeError(`${path} must be an array`)
    let text = ""
    for (const each of value) text += text === "" ? write(each) : `,${write(each)}`
    return `[${text}]`
  }
}

const objectWriter = (ast: SchemaAST.Objects, path: string): Write => {
  const { indexSignatures, propertySignatures } = ast
  const [index, ...others] = indexSignatures
  if (index === undefined && propertySignatures.length > 0) return structWriter(propertySignatures, path)
  const isRecord = others.length === 0 && propertySignatures.length === 0
  if (index !== undefined && isRecord && SchemaAST.isString(index.parameter)) {
    return recordWriter(writerAt(index.type, `${path}[]`), path)
  }
  throw new Error(`${path}: no writer can be made of an object with keys like these`)
}

const structWriter = (signatures: SchemaAST.Objects["propertySignatures"], path: string): Write => {
  const fields = signatures.map(({ name, type }) => {
    const key = JSON.stringify(name)
    return {
      name: String(name),
      first: `{${key}:`,
      further: `,${key}:`,
      isOptional: SchemaAST.isOptional(type),
      write: writerAt(type, `${path}.${String(name)}`)
    }
  })
  return (value) => {
    const record = recordOf(value, path)
    let text = ""
    for (const { first, further, isOptional, name, write } of fields) {
      const member = record[name]
      if (member !== undefined) text += (text === "" ? first : further) + write(member)
      else if (!isOptional) throw new TypeError(`${path}.${name} is missing`)
    }
    return text === "" ? "{}" : `${text}}`
  }
}

const recordWriter =
  (write: Write, path: string): Write =>
  (value) => {
    const record = recordOf(value, path)
    const members = Object.keys(record).map((key) => `${JSON.stringify(key)}:${write(record[key])}`)
    return `{${members.join(",")}}`
  }

const recordOf = (value: unknown, path: string): Readonly<Record<string, unknown>> => {
  if (typeof value !== "object" || value === null) throw new TypeError(`${path} must be an object`)
  return value as Readonly<Record<string, unknown>>
}

const unionWriter = (ast: SchemaAST.Union, path: string): Write => {
  const literals = literalsOf(ast)
  if (literals.length > 0) return literalsWriter(literals, path)
  const isNullable = ast.types.some(SchemaAST.isNull)
  const members = ast.types.filter((member) => !SchemaAST.isNull(member))
  const writers = members.map((member, place) => writerAt(member, `${path}|${place}`))
  const choice = members.length === 1 ? () => 0 : choiceOf(members, path)
  return (value) => {
    if (value === null && isNullable) return "null"
    const write = writers[choice(value)]
    if (write === undefined) throw new TypeError(`${path} is of no member of its union`)
    return write(value)
  }
}
