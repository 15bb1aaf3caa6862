/** A PostgreSQL to try the host with: starts one on the folder `data/postgres`, prints its URL, and stops it at Ctrl-C. */
import * as EmbeddedPostgres from "@runhook/embedded-postgres/EmbeddedPostgres"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"

const database = ManagedRuntime.make(EmbeddedPostgres.layer({ directory: "data/postgres" }))
const { url } = await database.runPromise(EmbeddedPostgres.EmbeddedPostgres)
console.log(Redacted.value(url))

const stop = () => void database.dispose()
process.once("SIGTERM", stop).once("SIGINT", stop)
