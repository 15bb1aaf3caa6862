/** Items of a list that are judged one by one, so that an item which breaks a rule is refused without the others. */
import { isJsonObject, type JsonObject } from "@runhook/core/shared/json/Json"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import type * as SchemaIssue from "effect/SchemaIssue"

/** An object that `body` describes and judges later. `names` is what the whole request is refused for. */
export const judgedAs = (
  id: string,
  body: Schema.Top,
  names: (item: JsonObject, options: SchemaAST.ParseOptions) => SchemaIssue.Issue | undefined = () =>
    undefined
) =>
  Schema.declare(isJsonObject, { expected: "object", toCodecJson: () => undefined }).check(
    Schema.makeFilter((item, _, options) => names(item, options), {
      representation: {
        id: `@runhook/contract/${id}`,
        payload: null,
        schemas: [SchemaAST.toEncoded(Schema.toCodecJson(body).ast)]
      },
      toJsonSchema: ({ schemas: [described = {}] }) => described
    })
  )
