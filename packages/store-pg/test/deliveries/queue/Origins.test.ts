import { assert, describe, it } from "@effect/vitest"
import { destinationOf } from "@runhook/core/deliveries/Delivery"
import { originOf } from "@runhook/store-pg/deliveries/queue/Origins"
import { texts } from "@runhook/store-pg/sql/Parameters"
import { decoded } from "@runhook/store-pg/sql/SqlErrors"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { layerEmpty } from "../../TestDatabase.ts"

const OriginRow = Schema.Struct({ origin: Schema.NullOr(Schema.String) })

const oneOf = <const Words extends ReadonlyArray<string>>(...words: Words) => Schema.Literals(words)

/** Parts of callback URLs, as callers write them. */
const Written = Schema.Struct({
  scheme: oneOf("http:", "https:", "HTTPS:"),
  host: oneOf(
    "receiver.example",
    "Receiver.EXAMPLE.",
    "bücher.example",
    "例え.テスト",
    "xn--bcher-kva.example",
    "192.0.2.7",
    "0xC0000207",
    "[2001:DB8::7]",
    "[::ffff:192.0.2.7]",
    "a_b.example",
    "re%63eiver.example"
  ),
  port: oneOf("", ":80", ":443", ":8443", ":00080", ":"),
  path: oneOf("", "/", "/hook", "//double//slash", "/http://other.example/", "/ü/@:8080", "\\back\\slash"),
  query: oneOf("", "?", "?to=https://other.example/x", "?a=1#b", "#top", "?@other.example:99")
})

/** As they are stored. */
const hrefOf = ({ host, path, port, query, scheme }: typeof Written.Type): string =>
  new URL(`${scheme}//${host}${port}${path}${query}`).href

const originsInSql = Effect.fnUntraced(function* (urls: ReadonlyArray<string>) {
  const sql = yield* SqlClient
  const found = yield* decoded(OriginRow)(sql`
    SELECT ${originOf(sql, "u.url")} AS origin
    FROM unnest(${texts(urls)}) WITH ORDINALITY AS u (url, number)
    ORDER BY u.number`)
  return found.map(({ origin }) => origin)
})

describe("originOf", () => {
  it.layer(layerEmpty)((it) => {
    it.effect.prop(
      "finds in SQL the origin that URL finds",
      { written: Schema.Array(Written) },
      ({ written }) =>
        Effect.gen(function* () {
          const urls = written.map(hrefOf)

          const origins = yield* originsInSql(urls)

          assert.deepStrictEqual(origins, urls.map(destinationOf))
        })
    )
  })
})
