/** What a schedule asks for each time: a create, without times of its own. */
import * as Schema from "effect/Schema"
import { type CreateExecution, RepeatableRequest } from "../execution/CreateExecution.ts"
import { StoredJson, type StoredObject } from "../json/StoredJson.ts"

/** Largest request of a schedule, as bytes of JSON. */
export const requestBytesMax = 64 * 1024

const AsJson = Schema.toCodecJson(RepeatableRequest)

const decode = Schema.decodeUnknownSync(AsJson)
const encode = Schema.encodeSync(Schema.fromJsonString(AsJson))

/** The request as a schedule keeps it. */
export const storedRequest = (request: CreateExecution): StoredObject => StoredJson.fromText(encode(request))

/** The request that a schedule keeps. */
export const requestIn = (stored: StoredObject): CreateExecution => ({
  ...decode(stored.value),
  scheduledAt: null,
  expiresAt: null
})
