/** `unevaluatedItems` and `unevaluatedProperties`, in place of ajv's. */
import { type CodeKeywordDefinition, type KeywordCxt, Name, _ } from "ajv"
import { Type } from "ajv/dist/compile/util.js"
import type { Evaluated } from "./Evaluated.ts"
import { placeKeyword } from "./ServedSchema.ts"

const keywordOf = (
  keyword: "unevaluatedItems" | "unevaluatedProperties",
  evaluated: Evaluated
): CodeKeywordDefinition => {
  const isOfItems = keyword === "unevaluatedItems"
  return {
    keyword,
    type: isOfItems ? "array" : "object",
    schemaType: ["boolean", "object"],
    trackErrors: true,
    error: {
      message: "is not a part that the schema knows",
      params: ({ params }) => _`{unevaluated: ${params.member}}`
    },
    code: (cxt: KeywordCxt) => {
      const { data, errsCount, gen, it, parentSchema, schema } = cxt
      if (schema === true || errsCount === undefined) return
      const find = gen.scopeValue("func", { ref: evaluated })
      const known = gen.const("known", _`${find}(${parentSchema[placeKeyword]}, ${data})`)

      const judge = (member: Name) => {
        if (schema === false) {
          cxt.setParams({ member })
          cxt.error()
          if (!it.allErrors) gen.break()
          return
        }
        const valid = gen.name("valid")
        const dataPropType = isOfItems ? Type.Num : Type.Str
        cxt.subschema({ keyword, dataProp: member, dataPropType }, valid)
        if (!it.allErrors) gen.if(_`!${valid}`, () => gen.break())
      }

      const unlessKnown = (member: Name) => gen.if(_`!${known}.has(String(${member}))`, () => judge(member))
      if (isOfItems) gen.forRange("i", 0, _`${data}.length`, unlessKnown)
      else gen.forIn("key", data, unlessKnown)
      cxt.ok(_`${errsCount} === ${new Name("errors")}`)
    }
  }
}

export const unevaluatedKeywords = (evaluated: Evaluated): ReadonlyArray<CodeKeywordDefinition> => [
  keywordOf("unevaluatedItems", evaluated),
  keywordOf("unevaluatedProperties", evaluated)
]
