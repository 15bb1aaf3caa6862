import * as Result from "effect/Result"
import { assert, describe, it } from "vitest"
import { tlsIn } from "../../src/connections/DatabaseUrl.ts"

const problemOf = (parameters: string, before = "postgres://user:secret@localhost/orders") =>
  Result.match(tlsIn(`${before}?${parameters}`), { onSuccess: () => undefined, onFailure: (rule) => rule })

describe("the URL of a database", () => {
  it.each([
    "",
    "application_name=orders&connect_timeout=5&options=-c%20jit%3Doff",
    "sslmode=disable",
    "sslmode=verify-full&sslrootcert=system",
    "sslrootcert=system",
    "sslmode=require&sslcert=a.crt&sslkey=a.key",
    "host=/var/run/postgresql&sslmode=require"
  ])("may have %s", (parameters) => {
    assert.isUndefined(problemOf(parameters))
  })

  it.each([
    ["ssl=true", "has a parameter that has no meaning here: ssl."],
    ["sslmode=require&pgbouncer=true", "has a parameter that has no meaning here: pgbouncer."],
    ["schema=public", "has a parameter that has no meaning here: schema."],
    ["channel_binding=require", "has a parameter that has no meaning here: channel_binding."],
    ["SSLMODE=require", "has a parameter that has no meaning here: SSLMODE."],
    ["rd@localhost/orders", "has a parameter that has no meaning here."],
    ["sslmode=allow", "must have an sslmode of disable,"],
    ["sslmode=", "must have an sslmode of disable,"],
    ["sslmode=Require", "must have an sslmode of disable,"],
    ["sslmode=require&sslrootcert=system", "must have sslmode=verify-full for sslrootcert=system"],
    ["sslrootcert=a.crt", "must have an sslmode for its certificates"],
    ["sslmode=require&sslcert=a.crt", "must have sslcert and sslkey, or neither"],
    ["sslmode=require&sslkey=a.key", "must have sslcert and sslkey, or neither"]
  ])("must not have %s", (parameters, rule) => {
    assert.include(problemOf(parameters), rule)
  })

  it("asks for no encryption on a socket of this machine", () => {
    const ways = [
      "postgres://user@%2Frun%2Fpg/orders?sslmode=require",
      "postgres:///orders?host=/run/pg&sslmode=require"
    ]

    assert.deepStrictEqual(
      ways.map((url) => Result.getOrThrow(tlsIn(url)).mode),
      ["disable", "disable"]
    )
  })
})
